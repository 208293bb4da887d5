import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeBlocks } from '@atrium/testkit/code-blocks';

/** In the package, so that the programs find its dependencies. */
const parent = join(import.meta.dirname, '..', '.data');

/** The files of a document, written as they stand there: `js lib/atrium.js` names one. */
export async function writeGuide(document: string): Promise<AsyncDisposable & { folder: string }> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'guide-'));
  for (const [title, code] of await codeBlocks(document)) {
    const [, path] = title.split(' ');
    if (path === undefined) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), code);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Runs a program with these settings, in Node unless told otherwise. */
export function run(args: string[], settings: Record<string, string>, command = process.execPath) {
  const child = spawn(command, args, {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(child, 'exit');
  return {
    exited,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
