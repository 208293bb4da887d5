import { join, relative } from 'node:path';
import type { Platform } from './platform.ts';

/** The addresses and files of a running platform, printed last so that they stay on screen. */
export function formatSummary(
  platform: Pick<Platform, 'urls' | 'databaseServerUrl' | 'redisUrl'>,
  dataDir: string,
  account: { email: string; password: string },
): string {
  const { urls } = platform;
  const file = (name: string) => {
    const path = relative(process.cwd(), join(dataDir, name));
    return path.startsWith('..') ? join(dataDir, name) : path;
  };
  const rows = [
    ['web', urls.web, `log in as ${account.email} with ${account.password}`],
    ['auth', urls.auth, `API reference: ${urls.auth}/docs`],
    ['notes', urls.notes, `API reference: ${urls.notes}/docs`],
    ['webhooks', urls.webhooks, `API reference: ${urls.webhooks}/docs`],
    ['links', urls.links, `API reference: ${urls.links}/docs`],
    ['Postgres', withoutPassword(platform.databaseServerUrl), ''],
    ['Redis', withoutPassword(platform.redisUrl), ''],
    ['emails', file('mail'), 'one .eml file each, unless SMTP_URL is set'],
    ['logs', file('logs'), 'one file for each process'],
    ['secrets', file('secrets.json'), 'generated for this machine'],
    ['retries', 'after 1, 2, 5 and 10 s', 'unless WEBHOOK_RETRY_DELAYS_MS is set'],
  ];
  const width = Math.max(...rows.map(([, value = '']) => value.length));
  const lines = rows.map(([name = '', value = '', note = '']) =>
    `  ${name.padEnd(9)} ${value.padEnd(width)}  ${note}`.trimEnd(),
  );
  return [
    '',
    'Atrium is running.',
    '',
    ...lines,
    '',
    'Ctrl-C stops it. `npm start -- --tour` shows the tour, `npm start -- --logs` every log line.',
  ].join('\n');
}

function withoutPassword(url: string): string {
  // Not by `URL`: the address may list several servers.
  return url.replace(/:[^:@/]+@/, ':***@');
}
