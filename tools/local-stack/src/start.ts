import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { developmentAccount } from './development-account.ts';
import { browserUrls, readVariable } from './environment.ts';
import { openLogFiles } from './logs/log-files.ts';
import { formatLogLine, isWarning } from './logs/log-format.ts';
import { type Platform, startPlatform } from './platform.ts';
import { REPOSITORY_ROOT } from './processes/process-table.ts';
import { formatSummary } from './summary.ts';
import { runTour } from './tour/tour.ts';

const DEFAULT_PORT_BASE = 4000;
const PORT_BASE_MAX = 65_000;
/** npm passes Ctrl-C on to a process that the terminal has sent it to already. */
const SAME_SIGNAL_MS = 1_000;

interface StartOptions {
  env: NodeJS.ProcessEnv;
  dataDir: string;
  /** Shows every log line of the services, not only warnings and errors. */
  logs: boolean;
  /** Undefined shows the tour on the first start. */
  tour: boolean | undefined;
}

async function start({ env, dataDir, logs, tour }: StartOptions): Promise<number> {
  const stopRequested = stopSignal();
  const logDir = join(dataDir, 'logs');
  using logFiles = openLogFiles(logDir);
  const startedAtMs = Date.now();
  const portBase = readPortBase(env);
  await using platform = await startPlatform({
    env,
    portBase,
    dataDir,
    signal: stopRequested,
    onProgress: (line) => console.log(`${line} …`),
    logs(processName, line) {
      logFiles.write(processName, line);
      if (logs || isWarning(line)) {
        console.log(formatLogLine(processName, line, { stacks: logs }));
      }
    },
  });
  stopRequested.throwIfAborted();
  console.log(`Ready after ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`);

  async function show(): Promise<never> {
    const smtpUrl = await readVariable(env, 'SMTP_URL');
    const mailDir = smtpUrl === undefined ? (env['MAIL_DIR'] ?? join(dataDir, 'mail')) : null;
    await tourOnce(platform, mailDir, dataDir, tour);
    const account = await developmentAccount({
      urls: platform.urls,
      dataDir,
      mailDir,
      givenDatabase: await readVariable(env, 'DATABASE_URL'),
    });
    // The issuer of tokens, too, is the URL that browsers know.
    const shown = { ...platform, urls: browserUrls(portBase) };
    console.log(formatSummary(shown, dataDir, account));
    return new Promise<never>(() => undefined);
  }
  // Awaited here, because the platform is stopped at the end of this function.
  return await Promise.race([
    once(stopRequested, 'abort').then(() => 0),
    platform.unexpectedExit.then(({ name, reason }) => {
      const log = relative(process.cwd(), join(logDir, `${name}.log`));
      console.error(`\n${name} ended (${reason}): stopping the rest. Its log is ${log}.`);
      return 1;
    }),
    show(),
  ]);
}

async function tourOnce(
  platform: Platform,
  mailDir: string | null,
  dataDir: string,
  wanted: boolean | undefined,
): Promise<void> {
  const stamp = join(dataDir, 'tour-done');
  const isDone = await access(stamp).then(
    () => true,
    () => false,
  );
  if (!(wanted ?? !isDone)) return;
  if (mailDir === null) {
    console.log('No tour: it reads emails from .data/mail, and SMTP_URL sends them elsewhere.');
    return;
  }
  await runTour({ urls: platform.urls, mailDir, print: (line) => console.log(line) });
  await writeFile(stamp, `${new Date().toISOString()}\n`);
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
  let stoppedAtMs = Number.NaN;
  const onSignal = () => {
    if (!controller.signal.aborted) {
      console.log('\nStopping …');
      stoppedAtMs = Date.now();
      controller.abort();
    } else if (Date.now() - stoppedAtMs > SAME_SIGNAL_MS) {
      console.log('Still stopping: this takes a few seconds.');
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return controller.signal;
}

/** 0 after a stop that was asked for, 1 when the platform could not start or a part of it ended. */
async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      options: {
        logs: { type: 'boolean', default: false },
        tour: { type: 'boolean' },
      },
      allowNegative: true,
    });
    const dataDir = resolve(process.env['DATA_DIR'] ?? join(REPOSITORY_ROOT, '.data'));
    return await start({ env: process.env, dataDir, logs: values.logs, tour: values.tour });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return 0;
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

// A closed terminal must not keep us from stopping the platform.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
// An interrupted tour may still wait for a delivery, so exitCode alone is not enough.
process.exit(await main());
