import type { Tag } from '@atrium/client';
import { useState } from 'react';
import { hasCode } from '../../ui/forms/form-errors.tsx';
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTagActions } from './use-tag-actions.ts';

const NAME_LENGTH_MAX = 50;

/** Asks for another name and, when a tag has it already, whether the two are to be one. */
export function RenameTagDialog({
  workspaceId,
  tag: { name: tag },
  onClose,
}: {
  workspaceId: string;
  tag: Tag;
  onClose: () => void;
}) {
  const { tags: texts } = useSignedInText().listing;
  const toast = useToast();
  const showError = useErrorToast();
  const { rename } = useTagActions(workspaceId);
  const [taken, setTaken] = useState<string | null>(null);
  const undo = (name: string) => {
    rename(name, tag, false).catch(showError);
  };
  const close = useWhileOpen(onClose);
  const save = async (name: string) => {
    if (name === tag) return onClose();
    try {
      await rename(tag, name, false);
    } catch (error) {
      if (!hasCode(error, 'tag-taken')) throw error;
      return setTaken(name);
    }
    toast(texts.renamed(tag, name), { undo: () => undo(name) });
    close();
  };
  if (taken !== null) {
    return (
      <ConfirmDialog
        title={texts.mergeTitle(tag, taken)}
        explanation={texts.mergeExplanation(tag, taken)}
        submit={texts.merge}
        onConfirm={async () => {
          await rename(tag, taken, true);
          toast(texts.merged(tag, taken));
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <NameDialog
      title={texts.renameTitle(tag)}
      label={texts.name}
      initialName={tag}
      maxLength={NAME_LENGTH_MAX}
      submit={texts.save}
      onSave={save}
      onClose={onClose}
    />
  );
}
