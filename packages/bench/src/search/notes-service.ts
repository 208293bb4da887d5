import { findFreePort } from '@atrium/local-stack/ports';
import type { TokenIssuer } from '@atrium/testkit/tokens';
import { until } from '@atrium/testkit/until';
import { Pool } from 'undici';
import { startEntry } from '../child.ts';
import { childEnvironment, entryOf } from '../platform.ts';
import type { Account, NewNote, NotesDatabase } from './environment.ts';

/** The service itself, with an access token of one account. */
export interface NotesService extends AsyncDisposable {
  pid: number;
  /** Sends the request that stores a note. */
  post(note: NewNote): Promise<void>;
}

export async function startNotesService(
  { environment }: NotesDatabase,
  { accountId, workspaceId }: Account,
  issuer: TokenIssuer,
): Promise<NotesService> {
  await using started = new AsyncDisposableStack();
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = started.use(
    startEntry(entryOf('notes', 'main.ts'), {
      ...childEnvironment(),
      ...environment,
      PORT: String(port),
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
