import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openFileStorage } from './config.ts';
import { KEY, startS3Server } from './s3-server.fixture.ts';
import { MissingFile } from './storage.ts';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-files-'));
  const config = { FILES_FOLDER: folder, S3_REGION: 'us-east-1' };
  return {
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
    stored: () => Promise.resolve([...server.objects.keys(), ...server.uploads.keys()]),
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
      await storage.write('fil_1', Readable.from([content.subarray(0, 9), content.subarray(9)]));
      expect((await buffer(await storage.read('fil_1'))).equals(content)).toBe(true);
    }
    const part = await buffer(await storage.read('fil_1', { start: 7, end: 12 }));
    expect(part.toString()).toBe('Atrium');
    await storage.remove('fil_1');
    await storage.remove('fil_1');
    await expect(storage.read('fil_1')).rejects.toThrow(MissingFile);
  });

  test.each([10, 11_000_000])('leave nothing when writing fails after %i bytes', async (bytes) => {
    await using opened = await open();
    const content = failing(Buffer.alloc(bytes));
    await expect(opened.storage.write('fil_1', content)).rejects.toThrow('the client is gone');
    expect(await opened.stored()).toEqual([]);
  });
});

test('a wrong key for S3 is refused', async () => {
  await using opened = await openS3('another secret');
  await expect(opened.storage.write('fil_1', Readable.from([Buffer.from('x')]))).rejects.toThrow(
    'SignatureDoesNotMatch',
  );
});
