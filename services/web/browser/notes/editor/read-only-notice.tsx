import { Alert, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { DiscardButton } from './discard-button.tsx';

/** For a text that was written while one was an editor, and cannot be saved any more. */
export function ReadOnlyNotice({ note }: { note: OpenNote }) {
  const { saving } = useSignedInText().notes;
  const account = useUser();
  const queryClient = useQueryClient();
  const { workspaceId } = note.opened;
  const discard = async () => {
    const workspace = await atrium.notes.getWorkspace(workspaceId);
    // What is cached says that one may write.
    queryClient.setQueryData(queryKeys.workspaces.one(workspaceId), workspace);
    await note.saver.discard();
    await queryClient.resetQueries({ queryKey: queryKeys.notes.open(account.id, note.id) });
  };
  return (
    <Alert color="red" variant="light" title={saving.readOnlyTitle} role="alert">
      <Stack gap="sm">
        {note.keepsDrafts && saving.keptExplanation}
        <Group gap="xs">
          <CopyButton value={() => written(note)} label={saving.copyText} />
          <DiscardButton onDiscard={discard} />
        </Group>
      </Stack>
    </Alert>
  );
}

/** The content, below its title when that has been changed too. */
function written(note: OpenNote): string {
  const { title } = note.fields();
  return title === note.stored().title ? note.content() : `# ${title}\n\n${note.content()}`;
}
