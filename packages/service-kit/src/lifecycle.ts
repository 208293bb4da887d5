import { ConfigError } from './config.ts';
import { createLogger, type Logger } from './logger.ts';
import { beginShutdown } from './server/draining.ts';
import type { Server } from './server/server.ts';

/** Orchestrators kill 30 s after SIGTERM by default; we finish earlier. */
const SHUTDOWN_TIMEOUT_MS = 25_000;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface ProcessContext {
  readonly env: NodeJS.ProcessEnv;
  /** `main` adds what it opens; it is disposed in reverse order after a signal. */
  readonly stack: AsyncDisposableStack;
  readonly logger: Logger;
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly shutdown: AbortSignal;
}

function logLevel(env: NodeJS.ProcessEnv): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
  return levels.find((level) => level === env['LOG_LEVEL']) ?? 'info';
}

function reportFailure(logger: Logger, error: unknown, what: string): void {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    logger.fatal({ err: error }, what);
  }
}

async function disposeInTime(stack: AsyncDisposableStack): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`Shutdown took longer than ${SHUTDOWN_TIMEOUT_MS} ms`)),
    SHUTDOWN_TIMEOUT_MS,
  );
  try {
    await Promise.race([stack.disposeAsync(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `main`, then `wait`, then disposes. Returns the exit code. */
async function runToEnd(
  context: ProcessContext,
  main: (context: ProcessContext) => Promise<void>,
  wait: () => Promise<void>,
): Promise<number> {
  let exitCode = 0;
  try {
    await main(context);
    await wait();
  } catch (error) {
    reportFailure(context.logger, error, 'could not start');
    exitCode = 1;
  }
  try {
    await disposeInTime(context.stack);
  } catch (error) {
    reportFailure(context.logger, error, 'could not stop cleanly');
    exitCode = 1;
  }
  return exitCode;
}

async function run(
  name: string,
  main: (context: ProcessContext) => Promise<void>,
  waitsForSignal: boolean,
): Promise<void> {
  // Read once here and passed to the process entries.
  // oxlint-disable-next-line no-restricted-properties
  const { env } = process;
  const logger = createLogger({ service: name, level: logLevel(env) });
  const stack = new AsyncDisposableStack();
  const abort = new AbortController();
  const stopped = Promise.withResolvers<void>();
  const stop = (signal: NodeJS.Signals) => {
    logger.info({ signal }, 'shutting down');
    abort.abort();
    stopped.resolve();
  };
  for (const signal of SIGNALS) {
    process.once(signal, stop);
  }
  // The state after an uncaught error is unknown: nothing is disposed, the process ends at once.
  const die = (error: unknown) => {
    logger.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  };
  process.once('uncaughtException', die);
  process.once('unhandledRejection', die);
  const context = { env, stack, logger, shutdown: abort.signal };
  const exitCode = await runToEnd(context, main, () =>
    waitsForSignal ? stopped.promise : Promise.resolve(),
  );
  // A handle that is still open must not keep the process alive.
  process.exit(exitCode);
}

/**
 * The life of a process: `main` opens what it needs on `stack` and returns; a signal disposes it all
 * in reverse order within 25 s and the process exits with 0. Exits with 1 when the configuration is
 * bad (every fault is printed), when `main` throws, and on an uncaught error.
 *
 * For process entries only: it never returns.
 */
export async function runProcess(
  name: string,
  main: (context: ProcessContext) => Promise<void>,
): Promise<void> {
  await run(name, main, true);
}

/** Like `runProcess` for work that ends by itself, such as a migration. */
export async function runTask(
  name: string,
  main: (context: ProcessContext) => Promise<void>,
): Promise<void> {
  await run(name, main, false);
}

/**
 * Listens. On disposal the server becomes unready, refuses new connections and finishes the requests of the others.
 * @returns the URL, such as `http://127.0.0.1:4001`
 */
export async function serve(
  stack: AsyncDisposableStack,
  server: Server,
  options: { port: number; host: string },
): Promise<string> {
  stack.defer(async () => {
    beginShutdown(server);
    await server.close();
  });
  return server.listen({ port: options.port, host: options.host });
}
