import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { askBeforeLeaving } from './leaving.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

/** Asks before a page with unsaved changes is left. */
export function UnsavedChanges({ when }: { when: boolean }) {
  const { unsaved } = useSignedInText();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>();
  useEffect(() => {
    if (!when) return;
    return askBeforeLeaving(() => new Promise((resolve) => setAnswer(() => resolve)));
  }, [when]);
  if (blocker.status !== 'blocked' && answer === undefined) return null;
  const decide = (isLeaving: boolean) => {
    if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
    answer?.(isLeaving);
    setAnswer(undefined);
  };
  return (
    <Dialog title={unsaved.title} onClose={() => decide(false)}>
      <Stack>
        <Text size="sm">{unsaved.explanation}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => decide(false)}>
            {unsaved.stay}
          </Button>
          <Button color="red" onClick={() => decide(true)}>
            {unsaved.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Another filter of the same page loses nothing; another tab takes its forms away. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  return `${pathname} ${'tab' in search ? String(search.tab) : ''}`;
}
