#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openPage } from './open-page.ts';
import { run } from './run.ts';

// oxlint-disable-next-line no-restricted-properties -- the process entry
const { env } = process;
const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => abort.abort());
}
// Whoever reads the output has had enough, as `head` has.
process.stdout.on('error', () => abort.abort());
const folder = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
process.exitCode = await run({
  args: process.argv.slice(2),
  credentialsPath: env['ATRIUM_CREDENTIALS'] ?? join(folder, 'atrium', 'credentials.json'),
  authUrl: env['ATRIUM_AUTH_URL'] ?? 'http://localhost:4001',
  webhooksUrl: env['ATRIUM_WEBHOOKS_URL'] ?? 'http://localhost:4003',
  notesUrl: env['ATRIUM_NOTES_URL'] ?? 'http://localhost:4002',
  openPage: (address) => openPage(address, env['BROWSER']),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  signal: abort.signal,
});
