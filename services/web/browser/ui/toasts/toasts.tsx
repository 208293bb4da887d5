import { createContext, type ReactNode, Suspense, use, useMemo, useState } from 'react';
import { useText } from '../../texts/texts.tsx';
import { errorText } from '../error-text.ts';
import { lazyPart } from '../lazy-part.tsx';
import type { Toast } from './toast-list.tsx';
import classes from './toasts.module.css';

const TOASTS_MAX = 4;
/** A younger one may be about what led to the page. */
const READ_MS = 2_000;

/** The first page needs none. */
const ToastList = lazyPart(async () => (await import('./toast-list.tsx')).ToastList);

/**
 * @param options.undo takes the change back; the toast then has a button for it
 * @returns what takes the toast away
 */
type ShowToast = (message: ReactNode, options?: Pick<Toast, 'kind' | 'undo'>) => () => void;

interface Toasts {
  show: ShowToast;
  remove: (id: number) => void;
  dismissRead: () => void;
}

const ToastContext = createContext<Toasts | null>(null);
let lastId = 0;

/** Messages about what has just happened, at the edge of every page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const value = useMemo(() => {
    const remove = (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id));
    const show: ShowToast = (message, options) => {
      lastId += 1;
      const toast: Toast = { ...options, id: lastId, message, shownAtMs: Date.now() };
      setToasts((shown) => [...shown, toast].slice(-TOASTS_MAX));
      return () => remove(toast.id);
    };
    const dismissRead = () => {
      const readMs = Date.now() - READ_MS;
      setToasts((shown) =>
        shown.filter((toast) => toast.undo !== undefined || toast.shownAtMs > readMs),
      );
    };
    return { show, remove, dismissRead };
  }, []);
  return (
    <ToastContext value={value}>
      {children}
      <div className={classes.toasts} role="status">
        {toasts.length > 0 && (
          <Suspense>
            <ToastList toasts={toasts} remove={value.remove} />
          </Suspense>
        )}
      </div>
    </ToastContext>
  );
}

function useToasts(): Toasts {
  const toasts = use(ToastContext);
  if (toasts === null) throw new Error('No ToastProvider');
  return toasts;
}

/** Shows a message about what has just happened. */
export function useToast(): ShowToast {
  return useToasts().show;
}

/** Takes away, when another page is shown, what was said on the one before; not what can still be undone. */
export function useDismissToasts(): () => void {
  return useToasts().dismissRead;
}

/** Shows what went wrong. */
export function useErrorToast(): (error: unknown) => void {
  const toast = useToast();
  const text = useText();
  return (error) => toast(errorText(error, text), { kind: 'error' });
}
