import { once } from 'node:events';
import { Readable } from 'node:stream';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { type ZipEntry, zipOf } from './zip.ts';

test('closes a file that was being opened when its reader left', async () => {
  const content = Readable.from([Buffer.from('a file')]);
  const opening = Promise.withResolvers<void>();
  const archive = zipOf(
    (async function* (): AsyncGenerator<ZipEntry> {
      await opening.promise;
      yield { path: 'a.txt', content };
    })(),
  );
  archive.destroy();
  await once(archive, 'close');
  opening.resolve();
  await until(() => content.destroyed);
  expect(archive.destroyed).toBe(true);
});
