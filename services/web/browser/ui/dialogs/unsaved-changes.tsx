import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from './dialog.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

/** Asks before a page with unsaved changes is left. */
export function UnsavedChanges({ when }: { when: boolean }) {
  const { unsaved } = useSignedInText();
  const { status, proceed, reset } = useBlocker({
    // Another tab or filter of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title={unsaved.title} onClose={reset}>
      <Stack>
        <Text size="sm">{unsaved.explanation}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={reset}>
            {unsaved.stay}
          </Button>
          <Button color="red" onClick={proceed}>
            {unsaved.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
