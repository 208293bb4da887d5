import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { createTestDatabase } from '@atrium/testkit/database';
import { startTokenIssuer, type TokenIssuer } from '@atrium/testkit/tokens';
import { until } from '@atrium/testkit/until';
import { expect, onTestFinished, test } from 'vitest';
import { NOTE_BODY_LIMIT_BYTES } from './notes/note-size.ts';
import { testEnvironment } from './test-app.ts';

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url));
const DOCKERFILE = new URL('../../../Dockerfile', import.meta.url);
const { noteSizeBytes } = PLAN_LIMITS.pro;
const ACCOUNTS = 8;
const SOCKETS_PER_ACCOUNT = 6;

/** What takes the most memory for its bytes: each character takes two, and the answer six. */
const LONGEST = `\u{1F4A5}${'\u0001'.repeat(noteSizeBytes - 4)}`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** The service as its image starts it, with the heap of the Dockerfile. */
async function start(issuer: TokenIssuer, databaseUrl: string) {
  const flags = (await readFile(DOCKERFILE, 'utf8')).match(/--max-[\w-]+-size=\d+/g) ?? [];
  expect(flags).toHaveLength(2);
  const metricsPort = await freePort();
  const child = spawn(process.execPath, [...flags, ENTRY], {
    env: {
      ...testEnvironment(databaseUrl, issuer),
      METRICS_PORT: String(metricsPort),
      RATE_LIMITS: 'off',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  }
  const url = await until(() => /"Server listening at (http[^"]+)"/.exec(output)?.[1]);
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  return {
    url,
    port: Number(new URL(url).port),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(name));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
  };
}

test('stays ready with the heap of its image while bodies and answers are at every limit', async () => {
  await using issuer = await startTokenIssuer();
  await using owned = await createTestDatabase('notes');
  const notes = await start(issuer, owned.url);
  const headersOf = (token: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  const post = async (token: string, path: string, body: object) => {
    const response = await fetch(notes.url + path, {
      method: 'POST',
      headers: headersOf(token),
      body: JSON.stringify(body),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  async function join(plan: 'free' | 'pro') {
    const token = issuer.issueToken({ sub: newId('usr'), plan });
    const { body: workspace } = await post(token, '/api/workspaces', {
      name: 'A',
      description: '',
    });
    const path = `/api/workspaces/${workspace.id}/notes`;
    return { token, path };
  }

  const bystander = await join('free');
  const attackers = await Promise.all(Array.from({ length: ACCOUNTS }, () => join('pro')));
  const sockets: Socket[] = [];
  const open = (lines: string[]): Socket => {
    const socket = connect(notes.port, '127.0.0.1').on('error', () => undefined);
    if (lines.length > 0) socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    sockets.push(socket);
    return socket;
  };
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const head = (target: string, token: string, ...more: string[]) => [
    `${target} HTTP/1.1`,
    'host: notes',
    `authorization: Bearer ${token}`,
    ...more,
  ];

  const ids = new Map<string, string>();
  for (const { token, path } of attackers) {
    const { status, body } = await post(token, path, { title: 'Long', content: LONGEST });
    expect(status).toBe(201);
    ids.set(token, body.id);
  }

  // 1. Answers of 3 MB that nobody reads, more than the buffers of the operating system take.
  const askWithoutReading = () => {
    for (const [token, id] of ids) {
      const request = `${head(`GET /api/notes/${id}`, token).join('\r\n')}\r\n\r\n`;
      for (let count = 0; count < SOCKETS_PER_ACCOUNT; count += 1) {
        open([]).pause().write(request.repeat(5));
      }
    }
  };
  askWithoutReading();
  // 2. Bodies at their limit, of which the last byte is missing.
  const rest = JSON.stringify({ title: 'Long', content: LONGEST });
  const padding = ' '.repeat(NOTE_BODY_LIMIT_BYTES - rest.length);
  const ends: (() => void)[] = [];
  for (const { token, path } of attackers) {
    for (let count = 0; count < SOCKETS_PER_ACCOUNT; count += 1) {
      const length = `content-length: ${NOTE_BODY_LIMIT_BYTES}`;
      const socket = open(head(`POST ${path}`, token, 'content-type: application/json', length));
      socket.write(padding + rest.slice(0, -1));
      ends.push(() => socket.write('}'));
    }
  }
  // 3. Bodies in chunks of one byte.
  for (const { token, path } of attackers) {
    const chunked = 'transfer-encoding: chunked';
    const socket = open(head(`POST ${path}`, token, 'content-type: application/json', chunked));
    socket.write('1\r\n \r\n'.repeat(300_000));
  }
  // 4. Requests that nobody waits for, all in one packet.
  for (const { token } of attackers) {
    const request = head('GET /api/workspaces', token);
    open(request)
      .pause()
      .write(`${request.join('\r\n')}\r\n\r\n`.repeat(500));
  }

  for (const budget of ['account', 'process']) {
    const refused = `http_in_flight_refused_total{budget="${budget}"}`;
    const isRefused = async () => {
      if ((await notes.metric(refused)) > 0) return true;
      // On a busy machine the first ones may have been cut off before the others came.
      askWithoutReading();
      return false;
    };
    await until(isRefused, { intervalMs: 5_000 });
  }
  for (const end of ends) end();
  const save = () =>
    post(bystander.token, bystander.path, { title: 'Mine', content: 'x'.repeat(40_000) });
  await until(async () => (await save()).status === 201);
  await until(async () => (await fetch(`${notes.url}/readyz`)).status === 200);
  expect(await notes.metric('http_in_flight_bytes')).toBeLessThanOrEqual(64 * 1024 ** 2);

  for (const socket of sockets) socket.destroy();
  await until(async () => (await notes.metric('http_in_flight_bytes')) === 0);
  expect(notes.isAlive()).toBe(true);
  await until(async () => (await fetch(`${notes.url}/readyz`)).status === 200);
  expect((await save()).status).toBe(201);
});
