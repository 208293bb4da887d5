import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startReceiver } from '@atrium/testkit/receiver';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { run } from './run.ts';

interface Answer {
  status: number;
  body: object;
}

/** The service, which gives these answers, the last one again and again; and the command, used with a token. */
async function start(answers: (Answer | ((events: unknown[]) => Answer))[]) {
  const folder = await temporaryFolder();
  const service = await startReceiver({
    respond: (n, { rawBody }) => {
      const answer = answers[n - 1] ?? answers.at(-1) ?? { status: 500, body: {} };
      const { status, body } =
        typeof answer === 'function' ? answer(JSON.parse(rawBody.toString())) : answer;
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
    },
  });
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return {
    service,
    file: async (name: string, content: string) => {
      const path = join(folder.path, name);
      await writeFile(path, content);
      return path;
    },
    atrium: async (...args: string[]) => {
      const output: string[] = [];
      const code = await run({
        args,
        credentialsPath: join(folder.path, 'credentials.json'),
        token: 'atrium_pat_x',
        authUrl: service.url,
        webhooksUrl: service.url,
        notesUrl: service.url,
        openPage: () => undefined,
        write: (text) => output.push(text),
        writeError: (text) => output.push(text),
        signal: new AbortController().signal,
      });
      return { code, output: output.join('') };
    },
    sent: () =>
      service.requests.map(({ method, path, rawBody }) => [
        `${method} ${path}`,
        JSON.parse(rawBody.toString()),
      ]),
  };
}

const paid = (n: number) => ({ type: 'shop.order_paid', id: `paid-${n}`, data: { n } });
const accepted = (count: number) => ({
  status: 202,
  body: {
    data: Array.from({ length: count }, () => ({ status: 202, id: 'evt_x', isDuplicate: false })),
  },
});

test('publishes the events of a file in batches, whichever of the forms it has', async () => {
  const { file, atrium, sent } = await start([accepted(100), accepted(20), accepted(1)]);
  const events = Array.from({ length: 120 }, (_, n) => paid(n));
  const lines = await file('events.ndjson', `${events.map((e) => JSON.stringify(e)).join('\n')}\n`);
  expect(await atrium('events', 'publish', lines)).toEqual({
    code: 0,
    output: 'Published 120 of 120 events.\n',
  });
  await atrium('events', 'publish', await file('one.json', JSON.stringify(paid(1), null, 2)));
  expect(sent()).toEqual([
    ['POST /api/events', events.slice(0, 100)],
    ['POST /api/events', events.slice(100)],
    ['POST /api/events', [paid(1)]],
  ]);
});

test.each([
  ['large', 40, 'x'.repeat(100_000)],
  ['of many values', 100, Array.from({ length: 400 }, (_, n) => n)],
])('events that are %s go in batches that a request can have', async (_, count, content) => {
  const { file, atrium, service } = await start([(events) => accepted(events.length)]);
  const events = Array.from({ length: count }, (_, n) => ({ ...paid(n), data: { content } }));
  expect(await atrium('events', 'publish', await file('x', JSON.stringify(events)))).toEqual({
    code: 0,
    output: `Published ${count} of ${count} events.\n`,
  });
  const bodies = service.requests.map(({ rawBody }) => rawBody.toString());
  expect(bodies.flatMap((body) => JSON.parse(body))).toEqual(events);
  expect(Math.max(...bodies.map((body) => body.length))).toBeLessThan(2 * 1024 ** 2);
  expect(Math.max(...bodies.map((body) => body.split(',').length))).toBeLessThan(20_000);
});

test.each([
  [400, 1, { message: 'body/3/type must be string' }, 'body/3/type must be string'],
  [401, 3, {}, 'ATRIUM_TOKEN was rejected: it may have expired'],
])('a batch that fails with %i is named', async (status, exit, body, why) => {
  const { file, atrium } = await start([accepted(100), accepted(100), { status, body }]);
  const path = await file('x', JSON.stringify(Array.from({ length: 250 }, (_, n) => paid(n))));
  expect(await atrium('events', 'publish', path)).toEqual({
    code: exit,
    output: `Events 201–250: ${why}; 200 were sent before\n`,
  });
});

test('a batch is sent again after a lost answer if each of its events has an id', async () => {
  const { file, atrium, service } = await start([{ status: 502, body: {} }, accepted(2)]);
  const { id: _, ...withoutId } = paid(2);
  const mixed = await file('mixed', JSON.stringify([paid(1), withoutId]));
  expect(await atrium('events', 'publish', mixed)).toEqual({
    code: 1,
    output: 'Events 1–2: The service answered with status 502; 0 were sent before\n',
  });
  service.requests.length = 0;
  const identified = await file('identified', JSON.stringify([paid(1), paid(2)]));
  expect((await atrium('events', 'publish', identified)).output).toBe('Published 2 of 2 events.\n');
  expect(service.requests).toHaveLength(2);
});

test('says which events were refused, and goes on', async () => {
  const refused = {
    status: 422,
    code: 'event-mismatch',
    error: 'Validation Error',
    message: 'data.n must be string',
  };
  const { file, atrium } = await start([
    { status: 202, body: { data: [{ status: 202, id: 'evt_x', isDuplicate: false }, refused] } },
  ]);
  const path = await file('two.json', JSON.stringify([paid(1), paid(2)]));
  expect(await atrium('events', 'publish', path)).toEqual({
    code: 1,
    output:
      'Event 2 was refused: data.n must be string\nPublished 1 of 2 events.\n1 event was refused\n',
  });
});

test('registers event types by the names of their files, or those in them', async () => {
  const { file, atrium, sent } = await start([{ status: 201, body: { version: 1 } }]);
  const type = { description: 'Paid.', example: {} };
  const first = await file('shop.order_paid.json', JSON.stringify(type));
  const second = await file('other.json', JSON.stringify({ name: 'shop.order_sent', ...type }));
  const { code, output } = await atrium('events', 'types', 'push', first, second);
  expect([code, output]).toEqual([
    0,
    'shop.order_paid is registered, version 1.\nshop.order_sent is registered, version 1.\n',
  ]);
  expect(sent()).toEqual([
    ['PUT /api/event-types/shop.order_paid', type],
    ['PUT /api/event-types/shop.order_sent', type],
  ]);
});

test('names the event types that were not sent after one that is refused', async () => {
  const { file, atrium, sent } = await start([{ status: 422, body: { message: 'No schema' } }]);
  const paths = await Promise.all(['a.a', 'a.b', 'a.c'].map((name) => file(`${name}.json`, '{}')));
  const { code, output } = await atrium('events', 'types', 'push', ...paths);
  expect([code, output]).toEqual([
    1,
    `${paths[0]}: No schema; not sent: ${paths[1]}, ${paths[2]}\n`,
  ]);
  expect(sent()).toHaveLength(1);
});

test.each([
  [['events'], 'Usage: atrium events publish'],
  [['events', 'types', 'push'], 'Usage: atrium events publish'],
  [['events', 'publish', '/does/not/exist'], '/does/not/exist cannot be read'],
])('%j is wrong usage', async (args, message) => {
  const { atrium } = await start([accepted(1)]);
  const { code, output } = await atrium(...args);
  expect(code).toBe(2);
  expect(output).toContain(message);
});

test.each([
  ['{"type":"a.b","data":{}}\n\nnot', 'line 3 is not JSON'],
  ['[{"type":"a.b","data":{}},null]', 'event 2 is not a JSON object'],
])('what is no event in %j is named, and nothing is sent', async (content, message) => {
  const { file, atrium, service } = await start([accepted(1)]);
  const { code, output } = await atrium('events', 'publish', await file('x', content));
  expect([code, output.trim().endsWith(message)]).toEqual([2, true]);
  expect(service.requests).toEqual([]);
});

test('is interrupted while it waits for its input', async () => {
  const main = join(import.meta.dirname, 'main.ts');
  const command = spawn(process.execPath, [main, 'events', 'publish', '-'], {
    env: { ATRIUM_TOKEN: 'atrium_pat_x' },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  onTestFinished(() => void command.kill('SIGKILL'));
  // More than a pipe holds: once it is written, the command reads.
  await new Promise((resolve) => command.stdin.write(' '.repeat(1024 ** 2), resolve));
  command.kill('SIGINT');
  expect(await once(command, 'exit')).toEqual([130, null]);
});
