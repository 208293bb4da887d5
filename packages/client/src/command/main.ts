#!/usr/bin/env node
import { homedir } from 'node:os';
import { openPage } from './open-page.ts';
import { run } from './run.ts';
import { readSettings } from './settings.ts';

// oxlint-disable-next-line no-restricted-properties -- the process entry
const { env } = process;
const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => abort.abort());
}
// Whoever reads the output has had enough, as `head` has.
process.stdout.on('error', () => abort.abort());
process.exitCode = await run({
  args: process.argv.slice(2),
  ...readSettings(env, homedir()),
  openPage: (url) => openPage(url, env['BROWSER']),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  signal: abort.signal,
});
