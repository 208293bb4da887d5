import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@atrium/service-kit/logger';

export interface BackgroundLoop extends AsyncDisposable {
  /** There may be work: look now rather than after the pause. */
  wake(): void;
}

export interface BackgroundLoopOptions {
  /** For the log, such as `recoveries`. */
  name: string;
  /** Does a small piece of work; answers for how long to pause after it. */
  step: () => Promise<number>;
  /** The pause after a piece of work that failed. */
  retryMs: number;
  logger: Logger;
}

/** Works in small pieces until it is disposed, which waits for the piece under way. */
export function startBackgroundLoop(options: BackgroundLoopOptions): BackgroundLoop {
  const { name, step, retryMs, logger } = options;
  const stop = new AbortController();
  let pause = new AbortController();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      pause = new AbortController();
      let pauseMs = retryMs;
      try {
        pauseMs = await step();
      } catch (error) {
        logger.error({ err: error }, `${name}: a step failed and will be tried again`);
      }
      const signal = AbortSignal.any([stop.signal, pause.signal]);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    wake: () => pause.abort(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
