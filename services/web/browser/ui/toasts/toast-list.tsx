import { Button, Group, Notification, Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useText } from '../../texts/texts.tsx';
import { keepFocus } from '../keep-focus.ts';

const SHOWN_MS = 6_000;
/** What went wrong, or can be undone, takes time to read. */
const SHOWN_TO_ACT_MS = 12_000;
/** No message goes, or moves, while the pointer or the focus is on one. */
const IN_USE = ':hover, :focus-within';

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
  return toasts.map((toast) => <ShownToast key={toast.id} {...toast} remove={remove} />);
}

function ShownToast({ id, message, kind, undo, remove }: Toast & { remove: (id: number) => void }) {
  const { frame } = useText();
  const notification = useRef<HTMLDivElement>(null);
  const shownMs = undo === undefined && kind === 'success' ? SHOWN_MS : SHOWN_TO_ACT_MS;
  useLayoutEffect(() => {
    const element = notification.current;
    const leave = keepFocus(element);
    const timer = setInterval(() => {
      if (element?.parentElement?.matches(IN_USE) !== true) remove(id);
    }, shownMs);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [id, remove, shownMs]);
  return (
    <Notification
      ref={notification}
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
  );
}
