import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { createApiCalls } from './api.ts';
import { importNotes } from './import-notes.ts';

const IMPORT = {
  id: 'imp_1',
  state: 'waiting',
  total: 0,
  done: 0,
  created: 0,
  unchanged: 0,
  skipped: [],
  skippedCount: 0,
  source: null,
  error: null,
};

/**
 * @param states of the import, one for each time that it is asked for
 * @param refusedToken which no upload may have
 * @param isLost whether the answer of a request is lost, counted by its method and path
 */
async function importTo(
  states: object[],
  workspaceId?: string,
  refusedToken?: string,
  isLost: (request: string, attempt: number) => boolean = () => false,
) {
  await using folder = await temporaryFolder();
  const requests: string[] = [];
  const keys: unknown[] = [];
  const creationKeys = new Set<unknown>();
  async function answer(request: IncomingMessage): Promise<object> {
    const body = await text(request);
    requests.push(`${request.method} ${request.url} ${body}`.trim());
    if (request.url?.endsWith('/imports') === true) return IMPORT;
    if (request.url?.includes('/imports/') === true) return { ...IMPORT, ...states.shift() };
    return { id: 'ws_new' };
  }
  const server = createServer((request, response) => {
    if (request.url === '/api/workspaces') creationKeys.add(request.headers['idempotency-key']);
    if (request.url?.endsWith('/imports') === true) {
      keys.push(request.headers['idempotency-key']);
      if (request.headers.authorization === `Bearer ${refusedToken}`) {
        // Before the archive has come.
        response.writeHead(401).end('{"message":"Token expired"}');
        return;
      }
    }
    void answer(request).then((body) => {
      const name = `${request.method} ${request.url}`;
      const attempt = requests.filter((each) => each.startsWith(`${name} `)).length;
      if (isLost(name, attempt)) request.socket.destroy();
      else response.end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const session = {
    credentials: () =>
      Promise.resolve({
        authUrl: '',
        webhooksUrl: '',
        notesUrl: `http://127.0.0.1:${port}`,
        email: 'ada@example.com',
        accessToken: 'token',
        refreshToken: '',
        listeners: {},
      }),
    accessToken: (refused?: string) => Promise.resolve(refused === 'token' ? 'newer' : 'token'),
  };
  const path = join(folder.path, 'vault.zip');
  await writeFile(path, 'PK');
  const lines: unknown[] = [];
  const outcome = await importNotes({
    call: createApiCalls(session),
    session,
    output: { line: (line) => void lines.push(line.replace(folder.path, '')) },
    path,
    workspaceId,
    signal: new AbortController().signal,
  }).then(
    () => 'imported',
    (error: Error) => error.message,
  );
  server.closeAllConnections();
  server.close();
  return { outcome, requests, keys, creationKeys, lines };
}

test('imports into a new workspace, which it names as the archive does', async () => {
  const source = { name: 'Garden', description: 'Plans' };
  const skipped = [{ path: 'a.csv', reason: 'No note refers to it' }];
  const { outcome, requests, lines } = await importTo([
    { state: 'running', total: 9, done: 4 },
    { state: 'completed', total: 9, done: 9, created: 8, skipped, skippedCount: 3, source },
  ]);
  expect(outcome).toBe('imported');
  expect(requests).toEqual([
    'POST /api/workspaces {"name":"vault"}',
    'POST /api/workspaces/ws_new/imports PK',
    'GET /api/workspaces/ws_new/imports/imp_1',
    'GET /api/workspaces/ws_new/imports/imp_1',
    'PATCH /api/workspaces/ws_new {"name":"Garden","description":"Plans"}',
  ]);
  expect(lines).toEqual([
    'Uploading /vault.zip …',
    '4 of 9 …',
    'Left out a.csv: No note refers to it.',
    '2 more were left out.',
    'Imported /vault.zip into ws_new: 8 notes created, 0 were there already.',
  ]);
});

test('says why an archive was refused, and leaves no new workspace', async () => {
  const failed = { state: 'failed', error: 'The archive has a link (a.md)' };
  const created = await importTo([failed]);
  expect([created.outcome, created.requests.at(-1)]).toEqual([
    failed.error,
    'DELETE /api/workspaces/ws_new',
  ]);
  const existing = await importTo([failed], 'ws_1');
  expect([existing.outcome, existing.requests.at(-1)]).toEqual([
    failed.error,
    'GET /api/workspaces/ws_1/imports/imp_1',
  ]);
});

test('uploads the archive again with another token when the first is refused', async () => {
  const completed = { state: 'completed', total: 1, done: 1, created: 1 };
  const { outcome, requests, keys } = await importTo([completed], 'ws_1', 'token');
  expect(outcome).toBe('imported');
  expect(requests[0]).toBe('POST /api/workspaces/ws_1/imports PK');
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('creates one workspace when the answer to that is lost, and names it once more', async () => {
  const source = { name: 'Garden', description: '' };
  const completed = { state: 'completed', total: 1, done: 1, created: 1, source };
  const { outcome, requests, creationKeys } = await importTo(
    [completed],
    undefined,
    undefined,
    (request, attempt) => attempt === 1 && !request.endsWith('/imports/imp_1'),
  );
  expect(outcome).toBe('imported');
  expect([...creationKeys]).toEqual([expect.any(String)]);
  expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(2);
});

test('has imported what cannot be named as in the archive', async () => {
  const source = { name: 'Garden', description: '' };
  const completed = { state: 'completed', total: 1, done: 1, created: 1, source };
  const { outcome, lines } = await importTo([completed], undefined, undefined, (request) =>
    request.startsWith('PATCH'),
  );
  expect(outcome).toBe('imported');
  expect(lines.slice(1)).toEqual([
    'The workspace is not named Garden: The service could not be reached',
    'Imported /vault.zip into ws_new: 1 notes created, 0 were there already.',
  ]);
});
