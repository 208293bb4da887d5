import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openFileStorage } from './config.ts';
import { openFolderStorage } from './folder.ts';
import { KEY, startS3Server } from './s3-server.fixture.ts';
import { openS3Storage } from './s3.ts';
import { type FileStorage, MissingFile } from './storage.ts';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-files-'));
  const config = { FILES_FOLDER: folder, S3_REGION: 'us-east-1' };
  return {
    folder,
    storage: await openFileStorage(config),
    /** What the storage holds, finished or not. */
    stored: async () =>
      (await readdir(folder, { recursive: true })).filter((name) => /\W/.test(name)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function openS3(secretAccessKey = KEY.secretAccessKey) {
  const server = await startS3Server();
  const config = {
    FILES_FOLDER: '/nowhere',
    S3_BUCKET: 'notes',
    S3_REGION: 'eu-central-1',
    S3_ENDPOINT: server.url,
    S3_ACCESS_KEY_ID: KEY.accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  return {
    storage: await openFileStorage(config),
    stored: () => Promise.resolve([...server.objects.keys()]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function* failing(first: Buffer) {
  yield first;
  throw new Error('the client is gone');
}

describe.each([
  ['a folder', openFolder],
  ['S3', openS3],
])('files in %s', (_name, open) => {
  test('are read as they were written, whole and in part, until they are removed', async () => {
    await using opened = await open();
    const { storage } = opened;
    for (const sizeBytes of [0, 1, 12_000_000]) {
      const content = Buffer.alloc(sizeBytes, 'Atrium ');
      const parts = Readable.from([content.subarray(0, 9), content.subarray(9)]);
      await storage.write('fil_1', parts, { sizeBytes });
      expect((await buffer(await storage.read('fil_1'))).equals(content)).toBe(true);
    }
    const part = await buffer(await storage.read('fil_1', { range: { start: 7, end: 12 } }));
    expect(part.toString()).toBe('Atrium');
    await storage.remove('fil_1');
    await storage.remove('fil_1');
    await expect(storage.read('fil_1')).rejects.toThrow(MissingFile);
  });

  test.each([10, 11_000_000])('leave nothing when writing fails after %i bytes', async (bytes) => {
    await using opened = await open();
    const content = failing(Buffer.alloc(bytes));
    const written = opened.storage.write('fil_1', content, { sizeBytes: 12_000_000 });
    await expect(written).rejects.toThrow('the client is gone');
    expect(await opened.stored()).toEqual([]);
  });

  test('leave nothing when writing is ended, and are read no further', async () => {
    await using opened = await open();
    const { storage } = opened;
    const ended = new AbortController();
    const { signal } = ended;
    const sizeBytes = 12_000_000;
    await storage.write('fil_1', Readable.from([Buffer.alloc(sizeBytes)]), { sizeBytes });
    const reading = await storage.read('fil_1', { signal });
    const stuck = new Readable({ read: () => ended.abort() });
    await expect(storage.write('fil_2', stuck, { sizeBytes, signal })).rejects.toThrow('aborted');
    await expect(buffer(reading)).rejects.toThrow('aborted');
    expect((await opened.stored()).filter((name) => name.includes('fil_2'))).toEqual([]);
  });
});

test('a file is not left in a folder that cannot be flushed', async () => {
  await using opened = await openFolder();
  // Files are stored in the folder itself, but the name of it cannot be opened.
  const storage = openFolderStorage(`${opened.folder}/missing/..`);
  const written = storage.write('fil_1', Readable.from([Buffer.from('x')]), { sizeBytes: 1 });
  await expect(written).rejects.toThrow('ENOENT');
  expect(await opened.stored()).toEqual([]);
});

test('a wrong key for S3 is refused', async () => {
  await using opened = await openS3('another secret');
  const written = opened.storage.write('fil_1', Readable.from([Buffer.from('x')]), {
    sizeBytes: 1,
  });
  await expect(written).rejects.toThrow('SignatureDoesNotMatch');
});

/** A storage at a server of its own. */
async function openS3At(handle: RequestListener) {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    storage: openS3Storage({
      bucket: 'notes',
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: KEY,
      timeouts: { requestMs: 100, silenceMs: 200 },
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

test('S3 is sent what has arrived, which is not held until there is a part of 5 MB', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<unknown>();
  await using opened = await openS3At((request, response) => {
    request.once('data', resolve).once('end', () => response.end());
  });
  async function* content() {
    yield Buffer.from('first');
    await begun;
    yield Buffer.from('last');
  }
  await opened.storage.write('fil_1', content(), { sizeBytes: 9 });
});

describe('S3 that falls silent', () => {
  /** Takes every request and answers at most its beginning. */
  const openSilent = (beginning?: string) =>
    openS3At((request) => {
      request.resume();
      if (beginning !== undefined) request.socket.write(beginning);
    });
  const silence = { name: 'TimeoutError' };

  test.each([
    ['is read', (storage: FileStorage) => storage.read('fil_1')],
    ['is removed', (storage: FileStorage) => storage.remove('fil_1')],
    [
      'has been sent',
      (storage: FileStorage) =>
        storage.write('fil_1', Readable.from([Buffer.from('x')]), { sizeBytes: 1 }),
    ],
  ])('fails when a file %s', async (_when, work) => {
    await using opened = await openSilent();
    await expect(work(opened.storage)).rejects.toMatchObject(silence);
  });

  test('fails half-way through a file', async () => {
    await using opened = await openSilent('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    await expect(buffer(await opened.storage.read('fil_1'))).rejects.toMatchObject(silence);
  });
});
