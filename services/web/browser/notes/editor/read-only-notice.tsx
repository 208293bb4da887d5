import { Alert, Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CopyButton } from '../../frame/controls/copy-button.tsx';
import { reload } from '../../frame/lists/use-list.ts';
import { useToast } from '../../frame/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';

/** For a text that was written while one was an editor, and cannot be saved any more. */
export function ReadOnlyNotice({ note }: { note: OpenNote }) {
  const { saving } = useSignedInText().notes;
  const toast = useToast();
  const queryClient = useQueryClient();
  const discard = async () => {
    await note.saver.discard();
    toast(saving.discarded);
    // Opened anew, to be read: what is cached says that one may write.
    await reload(queryClient, { queryKey: WORKSPACES_KEY });
    await queryClient.resetQueries({ queryKey: ['open-note'] });
  };
  return (
    <Alert color="red" variant="light" title={saving.readOnlyTitle} role="alert">
      <Stack gap="sm">
        {saving.deletedExplanation}
        <Group gap="xs">
          <CopyButton value={note.content} label={saving.copyText} />
          <Button size="xs" variant="default" onClick={() => void discard()}>
            {saving.discard}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
