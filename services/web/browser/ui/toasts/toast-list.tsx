import { Button, Group, Notification, Text } from '@mantine/core';
import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import { useText } from '../../texts/texts.tsx';
import { keepFocus } from '../keep-focus.ts';
import classes from './toasts.module.css';

const SHOWN_MS = 6_000;
/** What went wrong, or can be undone, takes time to read. */
const SHOWN_TO_ACT_MS = 12_000;

export interface Toast {
  id: number;
  message: ReactNode;
  kind?: 'error';
  undo?: (() => void) | undefined;
  shownAtMs: number;
}

/** The messages that are shown at the moment. None goes, or moves, while the pointer or the focus is on one. */
export function ToastList({
  toasts,
  remove,
}: {
  toasts: readonly Toast[];
  remove: (id: number) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  // A pointer that has not moved since the message appeared is not reading it.
  const isPointed = useRef(false);
  const removeUnused = useCallback(
    (id: number) => {
      isPointed.current &&= list.current?.matches(':hover') === true;
      if (!isPointed.current && list.current?.matches(':focus-within') !== true) remove(id);
    },
    [remove],
  );
  return (
    <div
      ref={list}
      className={classes.list}
      onPointerMove={() => {
        isPointed.current = true;
      }}
    >
      {toasts.map((toast) => (
        <ShownToast key={toast.id} {...toast} remove={remove} removeUnused={removeUnused} />
      ))}
    </div>
  );
}

type Remove = (id: number) => void;

function ShownToast({
  id,
  message,
  kind,
  undo,
  remove,
  removeUnused,
}: Toast & { remove: Remove; removeUnused: Remove }) {
  const { frame } = useText();
  const notification = useRef<HTMLDivElement>(null);
  const shownMs = undo === undefined && kind === undefined ? SHOWN_MS : SHOWN_TO_ACT_MS;
  useLayoutEffect(() => {
    const leave = keepFocus(notification.current);
    const timer = setInterval(() => removeUnused(id), shownMs);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [id, removeUnused, shownMs]);
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
