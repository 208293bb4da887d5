import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startReceiver } from '@atrium/testkit/receiver';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { run } from './run.ts';

/** The service, which answers with these; and the command, used with a token. */
async function start(answers: { status: number; body: object }[]) {
  const folder = await temporaryFolder();
  const service = await startReceiver({
    respond: (n) => {
      const { status, body } = answers[Math.min(n, answers.length) - 1] ?? {
        status: 500,
        body: {},
      };
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

test('says which events were refused, and goes on', async () => {
  const refused = {
    status: 422,
    code: 'event-mismatch',
    error: 'Validation Error',
    message: 'data/n must be string',
  };
  const { file, atrium } = await start([
    { status: 202, body: { data: [{ status: 202, id: 'evt_x', isDuplicate: false }, refused] } },
  ]);
  const path = await file('two.json', JSON.stringify([paid(1), paid(2)]));
  expect(await atrium('events', 'publish', path)).toEqual({
    code: 1,
    output:
      'Event 2 was refused: data/n must be string\nPublished 1 of 2 events.\n1 events were refused\n',
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

test('a line that is not JSON is named, and nothing is sent', async () => {
  const { file, atrium, service } = await start([accepted(1)]);
  const { code, output } = await atrium(
    'events',
    'publish',
    await file('x', '{"type":"a.b","data":{}}\nnot'),
  );
  expect([code, output.trim().endsWith('line 2 is not JSON')]).toEqual([2, true]);
  expect(service.requests).toEqual([]);
});
