import type { TreeNote } from '@atrium/client';
import { NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { reload } from '../../ui/lists/use-list.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { useLevel } from './level.ts';

/** Asks for the workspace of a note, and for the note of the first level that it goes inside. */
export function MoveDialog({
  note,
  workspaceId,
  onClose,
}: {
  note: TreeNote;
  workspaceId: string;
  onClose: () => void;
}) {
  const { tree: texts, organising } = useSignedInText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { data: all = [] } = useWorkspaces();
  const form = useForm({ initialValues: { toId: workspaceId, parentId: '' } });
  const { data: level = [] } = useLevel(form.values.toId, null);
  const parents = level.filter(({ id }) => id !== note.id);
  const submission = useSubmission(form, async ({ toId, parentId }) => {
    if (toId !== workspaceId) await workspaces.moveNote(note.id, { workspaceId: toId });
    const parent = parents.find(({ id }) => id === parentId);
    if (toId === workspaceId || parent !== undefined) {
      await workspaces.placeNote(note.id, { parentId: parent?.id ?? null });
    }
    const to = all.find(({ id }) => id === toId);
    toast(
      parent === undefined
        ? organising.moved(note.title, to?.name ?? '')
        : texts.placed.inside(note.title, parent.title),
    );
    onClose();
    await reload(queryClient, { queryKey: queryKeys.workspaces.all });
  });
  return (
    <FormDialog
      title={texts.moveTitle(note.title)}
      submit={texts.submit}
      submission={submission}
      onClose={onClose}
    >
      <NativeSelect
        label={texts.workspace}
        data={all
          .filter(({ role }) => role !== 'viewer')
          .map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('toId')}
        onChange={(event) => form.setValues({ toId: event.currentTarget.value, parentId: '' })}
        data-autofocus
      />
      <NativeSelect
        label={texts.inside}
        data={[
          { value: '', label: texts.firstLevel },
          ...parents.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        {...form.getInputProps('parentId')}
      />
    </FormDialog>
  );
}
