import type { TreeNote } from '@atrium/client';
import { Button, NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { reload } from '../../ui/lists/use-list.ts';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { useMove } from '../organising/use-move.ts';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { loadedLevel, useLevel } from './level.ts';

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
  const showError = useErrorToast();
  const move = useMove();
  const queryClient = useQueryClient();
  const { data: all = [] } = useWorkspaces();
  const form = useForm({ initialValues: { toId: workspaceId, parentId: '' } });
  const named = (id: string) => ({ id, name: all.find((each) => each.id === id)?.name ?? '' });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(form, async ({ toId, parentId }) => {
    const parent = loadedLevel(queryClient, toId, null).find(({ id }) => id === parentId);
    const place = async () => {
      await workspaces.placeNote(note.id, { parentId: parent?.id ?? null });
      toast(
        parent === undefined
          ? organising.moved(note.title, named(toId).name)
          : texts.placed.inside(note.title, parent.title),
      );
    };
    if (toId === workspaceId) await place();
    else {
      await move(note, named(workspaceId), named(toId));
      // Nothing in this dialog would be true if it stayed: the note is in the other workspace.
      if (parent !== undefined) await place().catch(showError);
    }
    close();
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
      <ParentSelect
        key={form.values.toId}
        workspaceId={form.values.toId}
        noteId={note.id}
        {...form.getInputProps('parentId')}
      />
    </FormDialog>
  );
}

/** The notes that a note can go inside. */
function ParentSelect({
  workspaceId,
  noteId,
  ...input
}: NativeSelectProps & { workspaceId: string; noteId: string }) {
  const { tree: texts } = useSignedInText();
  const { data = [], hasMore, isLoadingMore, loadMore } = useLevel(workspaceId, null);
  const parents = data.filter(({ id }) => id !== noteId);
  return (
    <>
      <NativeSelect
        label={texts.inside}
        data={[
          { value: '', label: texts.firstLevel },
          ...parents.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        {...input}
      />
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          {texts.more}
        </Button>
      )}
    </>
  );
}
