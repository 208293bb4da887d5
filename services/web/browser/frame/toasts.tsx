import { Button, Group, Notification, Text } from '@mantine/core';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { useText } from '../texts/texts.tsx';
import classes from './shell.module.css';

/** With something to undo there must be time to read it. */
const SHOWN_MS = 6_000;
const SHOWN_WITH_UNDO_MS = 12_000;
const TOASTS_MAX = 4;

interface Toast {
  id: number;
  message: string;
  kind: 'success' | 'error';
  undo?: (() => void) | undefined;
}

/** @param options.undo takes the change back; the toast then has a button for it */
type ShowToast = (message: string, options?: Partial<Pick<Toast, 'kind' | 'undo'>>) => void;

const ToastContext = createContext<ShowToast | null>(null);
let lastId = 0;

/** Messages about what has just happened, at the edge of every page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const text = useText();
  const remove = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const show = useCallback<ShowToast>(
    (message, { kind = 'success', undo } = {}) => {
      lastId += 1;
      const id = lastId;
      setToasts((shown) => [...shown, { id, message, kind, undo }].slice(-TOASTS_MAX));
      setTimeout(() => remove(id), undo === undefined ? SHOWN_MS : SHOWN_WITH_UNDO_MS);
    },
    [remove],
  );
  const list = useMemo(
    () =>
      toasts.map(({ id, message, kind, undo }) => (
        <Notification
          key={id}
          color={kind === 'error' ? 'red' : 'indigo'}
          withBorder
          closeButtonProps={{ 'aria-label': text.frame.dismiss }}
          onClose={() => remove(id)}
        >
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{message}</Text>
            {undo !== undefined && (
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => {
                  remove(id);
                  undo();
                }}
              >
                {text.frame.undo}
              </Button>
            )}
          </Group>
        </Notification>
      )),
    [toasts, text, remove],
  );
  return (
    <ToastContext value={show}>
      {children}
      <div className={classes.toasts} role="status" aria-live="polite">
        {list}
      </div>
    </ToastContext>
  );
}

/** Shows a message about what has just happened. */
export function useToast(): ShowToast {
  const show = use(ToastContext);
  if (show === null) throw new Error('ToastProvider is missing');
  return show;
}
