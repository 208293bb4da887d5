import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { openCredentialsFile } from './credentials.ts';

const CREDENTIALS = {
  authUrl: '',
  webhooksUrl: '',
  notesUrl: '',
  email: '',
  accessToken: '',
  refreshToken: '',
  listeners: {},
};

test('runs take turns, also when one that was killed has left its lock', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'credentials.json');
  await writeFile(`${path}.lock`, '');
  const longAgo = Date.now() / 1000 - 60;
  await utimes(`${path}.lock`, longAgo, longAgo);
  let running = 0;
  const together: number[] = [];
  const run = () =>
    openCredentialsFile(path).update(async (stored) => {
      together.push((running += 1));
      for (let n = 0; n < 20; n += 1) await turn();
      running -= 1;
      const count = Number(stored?.accessToken ?? 0) + 1;
      return { ...CREDENTIALS, accessToken: String(count) };
    });
  // Not all see the old lock at the same moment.
  const runs = Array.from({ length: 30 }, (_, n) => sleep(n % 6).then(run));
  await Promise.all(runs);
  expect(Math.max(...together)).toBe(1);
  expect((await openCredentialsFile(path).read())?.accessToken).toBe('30');
});
