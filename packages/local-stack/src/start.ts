import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readVariable } from './environment.ts';
import { formatLogLine } from './log-format.ts';
import { type Platform, startPlatform } from './platform.ts';
import { REPOSITORY_ROOT } from './process-table.ts';
import { runTour } from './tour/tour.ts';

const DEFAULT_PORT_BASE = 4000;
const PORT_BASE_MAX = 65_000;

async function main(env: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseArgs({
    options: { tour: { type: 'boolean', default: false }, 'no-tour': { type: 'boolean' } },
  });
  const stopAsked = stopSignal();
  const dataDir = resolve(env['DATA_DIR'] ?? join(REPOSITORY_ROOT, '.data'));
  const startedAtMs = Date.now();
  await using platform = await startPlatform({
    env,
    portBase: readPortBase(env),
    dataDir,
    logs: (processName, line) => console.log(formatLogLine(processName, line)),
    signal: stopAsked,
  });
  console.log(table(platform, dataDir, Date.now() - startedAtMs));

  stopAsked.throwIfAborted();
  // Awaited here: at the end of this function the platform is stopped.
  return await Promise.race([
    once(stopAsked, 'abort').then(() => 0),
    platform.died.then(({ name, reason }) => {
      console.error(`\n${name} ended (${reason}): stopping the rest.`);
      return 1;
    }),
    tour(platform, env, dataDir, values).then(() => new Promise<never>(() => undefined)),
  ]);
}

async function tour(
  platform: Platform,
  env: NodeJS.ProcessEnv,
  dataDir: string,
  asked: { tour: boolean; 'no-tour'?: boolean | undefined },
): Promise<void> {
  const stamp = join(dataDir, 'tour-done');
  const seen = await access(stamp).then(
    () => true,
    () => false,
  );
  if (asked['no-tour'] === true || (seen && !asked.tour)) return;
  if ((await readVariable(env, 'SMTP_URL')) !== undefined) {
    console.log('No tour: it reads its mail from .data/mail, and SMTP_URL sends it elsewhere.');
    return;
  }
  const mailDir = env['MAIL_DIR'] ?? join(dataDir, 'mail');
  await runTour({ urls: platform.urls, mailDir, say: (line) => console.log(line) });
  await writeFile(stamp, `${new Date().toISOString()}\n`);
  console.log('\nEverything stays up. Ctrl-C stops it; `npm start -- --tour` shows this again.');
}

function readPortBase(env: NodeJS.ProcessEnv): number {
  const text = env['PORT_BASE'] ?? '';
  const portBase = text === '' ? DEFAULT_PORT_BASE : Number(text);
  if (!Number.isInteger(portBase) || portBase < 1024 || portBase > PORT_BASE_MAX) {
    throw new Error(`PORT_BASE must be a number from 1024 to ${PORT_BASE_MAX}, not "${text}".`);
  }
  return portBase;
}

/** Aborted by the first signal that asks us to stop. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) console.log('Still stopping: this takes a few seconds.');
    else console.log('\nStopping …');
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return controller.signal;
}

function table(platform: Platform, dataDir: string, tookMs: number): string {
  const { urls } = platform;
  const rows = [
    ['auth', urls.auth, `reference ${urls.auth}/docs`],
    ['notes', urls.notes, `reference ${urls.notes}/docs`],
    ['webhooks', urls.webhooks, `reference ${urls.webhooks}/docs`],
    ['links', urls.links, `reference ${urls.links}/docs`],
    ['Postgres', withoutPassword(platform.databaseServerUrl), ''],
    ['Redis', withoutPassword(platform.redisUrl), ''],
    ['mail', join(dataDir, 'mail'), 'one .eml file each, unless SMTP_URL is set'],
    ['secrets', join(dataDir, 'secrets.json'), ''],
    ['retries', 'after 1, 2, 5 and 10 s', 'unless WEBHOOK_RETRY_DELAYS_MS is set'],
  ];
  const width = Math.max(...rows.map(([, value = '']) => value.length));
  const lines = rows.map(([name = '', value = '', note = '']) =>
    `  ${name.padEnd(10)} ${value.padEnd(width)}  ${note}`.trimEnd(),
  );
  return ['', `Atrium is ready after ${(tookMs / 1000).toFixed(1)} s.`, ...lines, ''].join('\n');
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return shown.href;
}

/** 0 when it was stopped by a person, 1 when it could not start or a part of it died. */
async function run(): Promise<number> {
  try {
    return await main(process.env);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return 0;
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

// Whoever reads our output may be gone (a closed terminal): that must not keep us from stopping.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
// Not just exitCode: an interrupted tour may still wait for a delivery.
process.exit(await run());
