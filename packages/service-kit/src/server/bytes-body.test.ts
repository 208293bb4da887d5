import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const CHECK = `
  const { assertStorable } = await import('${new URL('./validation.ts', import.meta.url).href}');
  const routeOptions = { config: {} };
  assertStorable({ params: {}, query: {}, body: Buffer.alloc(5 * 1024 ** 2), routeOptions });
`;

test('a picture as a body takes no more of the heap than it has bytes', async () => {
  // Half of what the image gives a process. Each byte as a field of its own took hundreds of megabytes.
  const args = ['--max-old-space-size=80', '--input-type=module', '--eval', CHECK];
  await expect(promisify(execFile)(process.execPath, args)).resolves.toMatchObject({ stderr: '' });
});
