import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { atrium } from './platform.ts';

/** Restarts of either side; `LISTEN_RESTARTS=50` for the long run. */
const RESTARTS = Number(process.env['LISTEN_RESTARTS'] ?? 3);
const MAIN = fileURLToPath(import.meta.resolve('@atrium/client/command'));

let person: Person;
let folder: string;
beforeAll(async () => {
  person = await createPerson(atrium.urls.auth, atrium.mailbox, 'lister');
  folder = await mkdtemp(join(tmpdir(), 'atrium-command-'));
  await writeFile(browser(), `#!/bin/sh\nprintf %s "$1" > ${join(folder, 'opened')}\n`);
  await chmod(browser(), 0o755);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What opens a page; it only writes down its address. */
const browser = () => join(folder, 'browser');
const openedPage = () => readFile(join(folder, 'opened'), 'utf8').catch(() => '');

interface Running {
  process: ChildProcess;
  lines: Record<string, unknown>[];
  exited: Promise<number | null>;
}

/** Runs the command with `--json`. */
function start(...args: string[]): Running {
  const child = spawn(process.execPath, [MAIN, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ATRIUM_CREDENTIALS: join(folder, 'credentials.json'),
      ATRIUM_AUTH_URL: atrium.urls.auth,
      ATRIUM_WEBHOOKS_URL: atrium.urls.webhooks,
      BROWSER: browser(),
    },
  });
  const lines: Record<string, unknown>[] = [];
  let rest = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const complete = (rest + chunk).split('\n');
      rest = complete.pop() ?? '';
      lines.push(...complete.map((line) => JSON.parse(line) as Record<string, unknown>));
    });
  }
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  return { process: child, lines, exited };
}

const lineOf = ({ lines }: Running, event: string) =>
  until(() => lines.find((line) => line['event'] === event));

async function stop(running: Running, signal: NodeJS.Signals): Promise<void> {
  running.process.kill(signal);
  await running.exited;
}

describe('atrium', () => {
  test('exits with 3 before a login, with 2 for a wrong usage', async () => {
    expect(await start('whoami').exited).toBe(3);
    expect(await start('listen').exited).toBe(2);
    expect(await start('trigger', 'eaten').exited).toBe(2);
  });

  test('logs in by a code confirmed at a page that it opens, and keeps its tokens to its user', async () => {
    const login = start('login');
    const { code, address } = await lineOf(login, 'confirm');
    await until(async () => (await openedPage()) === address);
    const { accessToken: token } = person;
    const confirmed = await call(
      'POST',
      `${atrium.urls.auth}/auth/device/${String(code)}/confirm`,
      { token, body: { password: person.password } },
    );
    expect(confirmed.status).toBe(204);
    expect(await login.exited).toBe(0);
    expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600);
    const whoami = start('whoami');
    expect(await whoami.exited).toBe(0);
    expect(whoami.lines).toMatchObject([{ event: 'account', email: person.email }]);
  });

  test(
    `forwards each delivery, signed, through ${RESTARTS} restarts of either side`,
    async () => {
      await using receiver = await startReceiver();
      const forwardTo = `${receiver.url}/hook`;
      let listening = start('listen', '--forward', forwardTo);
      const { secret } = await lineOf(listening, 'listening');
      const sent: string[] = [];
      const trigger = async () => {
        const triggered = start('trigger', 'note.shared', '--forward', forwardTo);
        if ((await triggered.exited) === 0) sent.push(String(triggered.lines[0]?.['deliveryId']));
      };
      const dispatcher = atrium.platform.process('webhook-dispatcher');
      for (let i = 0; i < RESTARTS; i += 1) {
        await trigger();
        await stop(listening, i % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
        await trigger();
        listening = start('listen', '--forward', forwardTo);
        await lineOf(listening, 'listening');
        await trigger();
        await dispatcher.kill('SIGKILL');
        await dispatcher.restart();
        await trigger();
      }
      expect(sent.length).toBe(RESTARTS * 4);
      const received = () => receiver.requests.map(({ headers }) => headers['service-delivery']);
      await until(() => sent.every((id) => received().includes(id)));
      for (const { headers, rawBody } of receiver.requests) {
        const signature = createHmac('sha256', String(secret)).update(rawBody).digest('hex');
        expect(headers['service-signature']).toBe(signature);
      }

      const before = receiver.requests.length;
      const redeliver = `${atrium.urls.webhooks}/api/deliveries/${sent[0]}/redeliver`;
      const { accessToken } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'));
      await until(
        async () => (await call('POST', redeliver, { token: accessToken })).status === 202,
      );
      await until(() => received().slice(before).includes(sent[0]));
      await stop(listening, 'SIGTERM');
      expect(await listening.exited).toBe(0);
    },
    60_000 + RESTARTS * 60_000,
  );

  test('logs out: the session and what listens end, and the file is gone', async () => {
    const listening = start('listen', '--forward', 'localhost:9');
    expect(await lineOf(listening, 'listening')).toMatchObject({
      forwardTo: 'http://localhost:9/',
    });
    const { accessToken: token } = JSON.parse(
      await readFile(join(folder, 'credentials.json'), 'utf8'),
    );
    expect(await start('logout').exited).toBe(0);
    expect(await listening.exited).toBe(3);
    await expect(stat(join(folder, 'credentials.json'))).rejects.toThrow('ENOENT');
    const me = await until(async () => {
      const answer = await call('GET', `${atrium.urls.auth}/user/me`, { token });
      return answer.status === 401 && answer;
    });
    expect(text(me.body, 'error')).toBe('Unauthorized');
  });
});
