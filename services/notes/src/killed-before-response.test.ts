import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newId } from '@atrium/contracts/ids';
import { openDatabase } from '@atrium/service-kit/database';
import { createTestDatabase } from '@atrium/testkit/database';
import { startTokenIssuer } from '@atrium/testkit/tokens';
import { until } from '@atrium/testkit/until';
import { expect, onTestFinished, test } from 'vitest';
import { testEnvironment } from './test-app.ts';

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Kills the process when it is about to answer a POST: the transaction is committed by then. */
const KILLER = `data:text/javascript,
  import { ServerResponse } from 'node:http';
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (...head) {
    if (this.req.method === 'POST') process.kill(process.pid, 'SIGKILL');
    return writeHead.apply(this, head);
  };`.replaceAll(/\s+/g, ' ');

test('answers a repeated request after the service was killed between commit and response', async () => {
  await using issuer = await startTokenIssuer();
  await using owned = await createTestDatabase('notes');
  await using database = openDatabase({ url: owned.url, applicationName: 'notes-test' });
  const env = testEnvironment(owned.url, issuer);

  async function start(...args: string[]) {
    const child = spawn(process.execPath, [...args, ENTRY], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exit = once(child, 'close');
    const url = await until(() => /"Server listening at (http[^"]+)"/.exec(output)?.[1]);
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    return { url, child, exit };
  }

  const token = issuer.issueToken({ sub: newId('usr') });
  const create = (url: string) =>
    fetch(`${url}/api/workspaces`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: JSON.stringify({ name: 'Once', description: '' }),
    });
  const ids = () => database.query('SELECT id FROM workspaces');

  const killed = await start(`--import=${KILLER}`);
  await expect(create(killed.url)).rejects.toThrow('fetch failed');
  expect(await killed.exit).toEqual([null, 'SIGKILL']);
  const committed = await ids();
  expect(committed).toHaveLength(1);

  const next = await start();
  const answer = await create(next.url);
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect([await answer.json()]).toMatchObject(committed);
  expect(await ids()).toEqual(committed);
  next.child.kill();
  await next.exit;
});
