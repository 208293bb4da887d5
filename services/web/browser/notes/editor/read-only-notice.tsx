import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';

/** For a text that was written while one was an editor, and cannot be saved any more. */
export function ReadOnlyNotice({ note }: { note: OpenNote }) {
  const text = useSignedInText();
  const { saving } = text.notes;
  const account = useUser();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { workspaceId } = note.opened;
  const discard = useMutation({
    mutationFn: () => atrium.notes.getWorkspace(workspaceId),
    onSuccess: async (workspace) => {
      // What is cached says that one may write.
      queryClient.setQueryData(queryKeys.workspaces.one(workspaceId), workspace);
      await note.saver.discard();
      await queryClient.resetQueries({ queryKey: queryKeys.notes.open(account.id, note.id) });
      toast(saving.discarded);
    },
  });
  return (
    <Alert color="red" variant="light" title={saving.readOnlyTitle} role="alert">
      <Stack gap="sm">
        {note.keepsDrafts && saving.keptExplanation}
        {discard.isError && <Text size="sm">{errorText(discard.error, text)}</Text>}
        <Group gap="xs">
          <CopyButton value={() => written(note)} label={saving.copyText} />
          <Button
            size="xs"
            variant="default"
            loading={discard.isPending}
            onClick={() => discard.mutate()}
          >
            {saving.discard}
          </Button>
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
