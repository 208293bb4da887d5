import Type from 'typebox';
import { HttpError, unavailable } from './http-error.ts';
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

async function failedChecks(server: Server, ready: ReadyChecks): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(ready).map(async ([name, check]) => {
      try {
        await inTime(check);
        return [];
      } catch (error) {
        server.log.warn({ err: error, check: name }, 'not ready');
        return [name];
      }
    }),
  );
  return outcomes.flat();
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
  server.get('/livez', { schema: schema('alive') }, () => ({ status: 'alive' }));
  server.get('/readyz', { schema: schema('ready') }, async () => {
    if (isDraining()) {
      throw shuttingDown();
    }
    const failed = await failedChecks(server, ready);
    if (failed.length > 0) {
      throw unavailable(`Not ready: ${failed.join(', ')} unavailable`, 1);
    }
    return { status: 'ready' };
  });
}

/** 503, asking the client to come back on another connection. */
export function shuttingDown(): HttpError {
  return new HttpError('Service Unavailable', 'The service is shutting down, please try again', {
    headers: { 'retry-after': '1', connection: 'close' },
  });
}
