import { type ErasureDeps, eraseDueAccounts } from './erase.ts';

const INTERVAL_MS = 60_000;

export interface Eraser extends AsyncDisposable {
  /** An account may be due: look now. */
  wake(): void;
}

/**
 * Erases accounts whose time has come, once a minute and when woken. Every process of the service
 * does so; they share the work by locking what they take, and what fails is tried again.
 */
export function startEraser(deps: ErasureDeps & { intervalMs?: number }): Eraser {
  let running: Promise<void> | undefined;
  let isWanted = false;

  async function work(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      try {
        await eraseDueAccounts(deps);
      } catch (error) {
        deps.logger.warn({ err: error }, 'accounts could not be erased, will try again');
      }
    }
    running = undefined;
  }

  function wake(): void {
    isWanted = true;
    running ??= work();
  }

  const timer = setInterval(wake, deps.intervalMs ?? INTERVAL_MS);
  wake();
  return {
    wake,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}
