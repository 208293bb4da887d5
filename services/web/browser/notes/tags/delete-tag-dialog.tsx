import type { Tag } from '@atrium/client';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTagActions } from './use-tag-actions.ts';

export function DeleteTagDialog({
  workspaceId,
  tag: { name, noteCount },
  count,
  onClose,
}: {
  workspaceId: string;
  tag: Tag;
  /** As it is written in the language of the person. */
  count: string;
  onClose: () => void;
}) {
  const { tags: texts } = useSignedInText().listing;
  const toast = useToast();
  const { remove } = useTagActions(workspaceId);
  return (
    <ConfirmDialog
      title={texts.deleteTitle(name)}
      explanation={texts.deleteExplanation(count, noteCount === 1)}
      submit={texts.deleteSubmit}
      onConfirm={async () => {
        await remove(name);
        toast(texts.deleted(name));
      }}
      onClose={onClose}
    />
  );
}
