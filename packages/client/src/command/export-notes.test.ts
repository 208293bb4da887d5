import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { exportNotes } from './export-notes.ts';

async function exportFrom(answer: RequestListener) {
  await using folder = await temporaryFolder();
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = {
    authUrl: '',
    webhooksUrl: '',
    notesUrl: `http://127.0.0.1:${port}`,
    email: 'ada@example.com',
    accessToken: 'token',
    refreshToken: '',
    listeners: {},
  };
  const lines: unknown[] = [];
  const path = join(folder.path, 'garden.zip');
  const outcome = await exportNotes({
    session: {
      credentials: () => Promise.resolve(credentials),
      accessToken: (refused) => Promise.resolve(refused === 'token' ? 'newer' : 'token'),
    },
    output: { line: (_text, { event, bytes }) => lines.push([event, bytes]) },
    workspaceId: 'ws_1',
    path,
    signal: new AbortController().signal,
  }).then(
    () => 'exported',
    (error: Error) => error.message,
  );
  server.closeAllConnections();
  server.close();
  const names = await readdir(folder.path);
  return { outcome, names, lines, archive: await readFile(path).catch(() => undefined) };
}

test('writes the archive as it comes and says how far it is', async () => {
  const half = Buffer.alloc(8 * 1024 ** 2, 'zip');
  const asked: unknown[] = [];
  const { outcome, names, lines, archive } = await exportFrom((request, response) => {
    asked.push(request.url, request.headers.authorization);
    response.write(half);
    response.end(half);
  });
  expect([outcome, names]).toEqual(['exported', ['garden.zip']]);
  expect(asked).toEqual(['/api/workspaces/ws_1/export', 'Bearer token']);
  expect(archive?.equals(Buffer.concat([half, half]))).toBe(true);
  expect(lines).toEqual([
    ['exporting', expect.any(Number)],
    ['exported', 2 * half.length],
  ]);
});

test('leaves no file when the download is cut off or refused', async () => {
  const cut = await exportFrom((_request, response) => {
    response.write('PK', () => response.destroy());
  });
  expect([cut.outcome === 'exported', cut.names]).toEqual([false, []]);
  const refused = await exportFrom((_request, response) => {
    response.writeHead(404).end('{"error":"Not Found","message":"Workspace not found"}');
  });
  expect([refused.outcome, refused.names]).toEqual(['Workspace not found', []]);
});

test('asks again with another token when the first is refused', async () => {
  const tokens: unknown[] = [];
  const { outcome, archive } = await exportFrom(({ headers }, response) => {
    tokens.push(headers.authorization);
    if (tokens.length === 1) response.writeHead(401).end('{"message":"Token expired"}');
    else response.end('PK');
  });
  expect([outcome, archive?.toString()]).toEqual(['exported', 'PK']);
  expect(tokens).toEqual(['Bearer token', 'Bearer newer']);
  const refused = await exportFrom((_request, response) => {
    response.writeHead(401).end('{"message":"Token expired"}');
  });
  expect([refused.outcome, refused.names]).toEqual(['Token expired', []]);
});
