import { Button, Group, Notification, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../texts/texts.tsx';
import { keepFocus } from '../keep-focus.ts';

export interface Toast {
  id: number;
  message: ReactNode;
  kind: 'success' | 'error';
  undo?: (() => void) | undefined;
  shownAtMs: number;
}

/** The messages that are shown at the moment. */
export function ToastList({
  toasts,
  remove,
}: {
  toasts: readonly Toast[];
  remove: (id: number) => void;
}) {
  const { frame } = useText();
  return toasts.map(({ id, message, kind, undo }) => (
    <Notification
      key={id}
      ref={keepFocus}
      color={kind === 'error' ? 'red' : 'indigo'}
      withBorder
      closeButtonProps={{ 'aria-label': frame.dismiss }}
      onClose={() => remove(id)}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {undo !== undefined && (
          <Button
            variant="subtle"
            size="compact-sm"
            flex="none"
            onClick={() => {
              remove(id);
              undo();
            }}
          >
            {frame.undo}
          </Button>
        )}
      </Group>
    </Notification>
  ));
}
