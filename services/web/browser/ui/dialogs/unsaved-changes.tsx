import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { askBeforeLeaving } from './leaving.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

interface Unsaved {
  when: boolean;
  /** What is lost, when it is not what was changed. */
  explanation?: string;
  /** Tries to save what a logout would leave, and says whether nothing is left to ask about. */
  save?: () => Promise<boolean>;
  onClose?: () => void;
}

/** Asks before a page with unsaved changes is left. */
export function UnsavedChanges(props: Unsaved) {
  return useUnsavedChanges(props).question;
}

/** The question of a page or a dialog with unsaved changes. `close` asks it too, before it closes the dialog. */
export function useUnsavedChanges({ when, explanation, save, onClose }: Unsaved): {
  question: ReactNode;
  close: () => void;
} {
  const { unsaved } = useSignedInText();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>();
  const ask = () => new Promise<boolean>((resolve) => setAnswer(() => resolve));
  useEffect(() => {
    if (!when && save === undefined) return;
    return askBeforeLeaving(async () => (await save?.()) === true || ask());
  }, [when, save]);
  const close = async () => {
    if (!when || (await ask())) onClose?.();
  };
  if (blocker.status !== 'blocked' && answer === undefined) {
    return { question: null, close: () => void close() };
  }
  const decide = (isLeaving: boolean) => {
    if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
    answer?.(isLeaving);
    setAnswer(undefined);
  };
  const question = (
    <Dialog title={unsaved.title} onClose={() => decide(false)}>
      <Stack>
        <Text size="sm">{explanation ?? unsaved.explanation}</Text>
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
  // The key that closes the question reaches the dialog below it too.
  return { question, close: () => {} };
}

/** Another filter of the same page loses nothing; another tab takes its forms away, and so does a closed dialog. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  return `${pathname} ${'tab' in search ? String(search.tab) : ''} ${'new' in search}`;
}
