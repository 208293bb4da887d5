import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('click-memory.fixture.ts', import.meta.url));
const COUNT = 1_000;

test('a click in memory holds what is stored of its headers, not the headers and the URL', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(COUNT)]);
  const { clicks, bytesPerClick } = JSON.parse(stdout) as Record<string, number>;
  expect(clicks).toBe(COUNT + 200);
  // Twice 512 characters are kept, which takes about 2,100 bytes; the request had 13,000.
  expect(bytesPerClick).toBeLessThan(7_000);
});
