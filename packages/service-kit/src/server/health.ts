import Type from 'typebox';
import { HttpError, unavailable } from '../http-error.ts';
import type { Server } from './server.ts';

const CHECK_TIMEOUT_MS = 2000;

/** What a service needs to be ready, by name; a check that rejects makes it unready. */
export type ReadyChecks = Record<string, () => Promise<void>>;

async function inTime(check: () => Promise<void>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('No answer in time')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the checks: the errors of those that fail, by name. */
export async function failedChecks(ready: ReadyChecks): Promise<Map<string, unknown>> {
  const failed = new Map<string, unknown>();
  const checks = Object.entries(ready).map(async ([name, check]) => {
    try {
      await inTime(check);
    } catch (error) {
      failed.set(name, error);
    }
  });
  await Promise.all(checks);
  return failed;
}

/**
 * Runs the checks and names those that fail. Probes come every second, so a check is logged only when
 * its outcome changes, and as a warning only after the service has been ready once: while it starts,
 * waiting for others is normal.
 */
function createReadiness(log: Server['log'], ready: ReadyChecks): () => Promise<string[]> {
  const failing = new Set<string>();
  let wasReady = false;

  function logFailure(check: string, error: unknown): void {
    if (failing.has(check)) {
      return;
    }
    failing.add(check);
    if (wasReady) {
      log.warn({ err: error, check }, 'not ready');
    } else {
      log.info({ check }, 'waiting to become ready');
    }
  }

  return async () => {
    const failed = await failedChecks(ready);
    for (const name of Object.keys(ready)) {
      if (failed.has(name)) {
        logFailure(name, failed.get(name));
      } else if (failing.delete(name)) {
        log.info({ check: name }, 'ready');
      }
    }
    wasReady ||= failed.size === 0;
    return [...failed.keys()];
  };
}

/**
 * `GET /livez`: the process answers, nothing more. `GET /readyz`: everything it needs answers, and it
 * is not shutting down.
 */
export function healthRoutes(server: Server, ready: ReadyChecks, isDraining: () => boolean): void {
  const schema = (status: string) => ({
    hide: true,
    response: { 200: Type.Object({ status: Type.Literal(status) }) },
  });
  const readFailed = createReadiness(server.log, ready);
  // Only errors are logged: probes come every second.
  const options = { logLevel: 'error', config: { isAlwaysAdmitted: true } } as const;
  server.get('/livez', { ...options, schema: schema('alive') }, () => ({ status: 'alive' }));
  server.get('/readyz', { ...options, schema: schema('ready') }, async () => {
    if (isDraining()) {
      throw shuttingDown();
    }
    const failed = await readFailed();
    if (failed.length > 0) {
      throw unavailable(`Not ready: ${failed.join(', ')} unavailable`, 1);
    }
    return { status: 'ready' };
  });
}

/** 503, asking the client to come back on another connection. */
function shuttingDown(): HttpError {
  return new HttpError('unavailable', 'The service is shutting down, please try again', {
    headers: { 'retry-after': '1', connection: 'close' },
  });
}
