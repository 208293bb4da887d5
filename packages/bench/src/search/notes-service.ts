import { randomBytes } from 'node:crypto';
import { findFreePort } from '@atrium/local-stack/ports';
import { startTokenIssuer } from '@atrium/testkit/tokens';
import { until } from '@atrium/testkit/until';
import { Pool } from 'undici';
import { startEntry } from '../child.ts';
import { childEnvironment, entryOf } from '../platform.ts';
import type { Account, NewNote } from './environment.ts';

/** The service itself, with an access token of one account. */
export interface NotesService extends AsyncDisposable {
  pid: number;
  /** Sends the request that stores a note. */
  post(note: NewNote): Promise<void>;
}

export async function startNotesService(
  urls: { database: string; redis: string },
  { accountId, workspaceId }: Account,
): Promise<NotesService> {
  await using started = new AsyncDisposableStack();
  const issuer = started.use(await startTokenIssuer());
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = started.use(
    startEntry(entryOf('notes', 'main.ts'), {
      ...childEnvironment(),
      DATABASE_URL: urls.database,
      REDIS_URL: urls.redis,
      PORT: String(port),
      METRICS_PORT: String(await findFreePort()),
      AUTH_URL: issuer.origin,
      WEB_URL: 'http://127.0.0.1:9',
      NOTES_WORKER_URL: 'http://127.0.0.1:9',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      MESSAGE_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    }),
  );
  const client = new Pool(origin, { connections: 1 });
  started.defer(() => client.close());
  const isReady = () =>
    client.request({ method: 'GET', path: '/readyz' }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode === 200;
      },
      () => false,
    );
  await Promise.race([until(isReady), child.died]);
  const headers = {
    authorization: `Bearer ${issuer.issueToken({ sub: accountId, plan: 'pro', expiresInSeconds: 86_400 })}`,
    'content-type': 'application/json',
  };
  const stack = started.move();
  return {
    pid: child.pid,
    async post(note) {
      const { statusCode, body } = await client.request({
        method: 'POST',
        path: `/api/workspaces/${workspaceId}/notes`,
        headers,
        body: JSON.stringify(note),
      });
      const text = await body.text();
      if (statusCode !== 201) throw new Error(`Storing a note answered ${statusCode}: ${text}`);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
