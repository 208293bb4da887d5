import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, type PlatformOptions, startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { startPostgres } from '@atrium/local-stack/servers';
import { type Mail, startMailbox } from '@atrium/testkit/mailbox';
import { until } from '@atrium/testkit/until';
import { recordsReader, serveRecords } from './records.ts';

/** What another process must know of a running platform to use it. */
export interface AtriumAddresses {
  urls: Platform['urls'];
  databaseServerUrl: string;
  redisUrl: string;
  cronSecret: string;
  processIds: readonly number[];
  /** Where the emails and the log lines of the platform are read. */
  recordsUrl: string;
}

/** Every email that the platform has sent. */
export interface Inbox {
  /** Oldest first. */
  list(): Promise<readonly Mail[]>;
  /** The first email that fits, as soon as it is there. */
  waitFor(isWanted: (mail: Mail) => boolean): Promise<Mail>;
}

/** A running platform, as a test uses it. */
export interface Atrium extends AtriumAddresses {
  mailbox: Inbox;
  /** The log lines of all processes so far. */
  logLines: () => Promise<readonly string[]>;
}

/** A platform whose processes a test may stop. */
export interface OwnAtrium extends Atrium, AsyncDisposable {
  platform: Platform;
  addresses: AtriumAddresses;
}

export function openAtrium(addresses: AtriumAddresses): Atrium {
  const list = recordsReader<Mail>(`${addresses.recordsUrl}/mails`);
  return {
    ...addresses,
    mailbox: {
      list,
      waitFor: (isWanted) => until(async () => (await list()).find(isWanted)),
    },
    logLines: recordsReader<string>(`${addresses.recordsUrl}/log-lines`),
  };
}

/**
 * Starts the platform as `npm start` does, with servers and a mailbox of its own: for tests that stop a
 * part of it or configure it; the others use `sharedAtrium`. Retries are short, so that a test sees all of
 * them, and Postgres does not wait for the disk.
 */
export async function startAtrium(
  env: Record<string, string> = {},
  overrides: NonNullable<PlatformOptions['overrides']> = {},
): Promise<OwnAtrium> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-acceptance-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const mailbox = started.use(await startMailbox());
  const logLines: string[] = [];
  const records = started.use(
    await serveRecords({ mails: mailbox.messages, 'log-lines': logLines }),
  );
  const cronSecret = randomBytes(16).toString('hex');
  const startDatabaseServer = async () => {
    const server = await startPostgres({ dataDir: join(dataDir, 'postgres'), durable: false });
    started.defer(() => server.stop());
    return server.url;
  };
  const platform = started.use(
    await startPlatform({
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        RATE_LIMITS: 'off',
        SMTP_URL: mailbox.smtpUrl,
        CRON_SECRET: cronSecret,
        WEBHOOK_RETRY_DELAYS_MS: '100,100,100,100',
        ...env,
        DATABASE_URL: env['DATABASE_URL'] ?? (await startDatabaseServer()),
      },
      portBase: await findFreePortBase(),
      dataDir,
      overrides,
      logs: (processName, line) => logLines.push(`${processName} ${line}`),
    }),
  );
  const { urls, databaseServerUrl, redisUrl, processes } = platform;
  const addresses: AtriumAddresses = {
    urls,
    databaseServerUrl,
    redisUrl,
    cronSecret,
    processIds: processes.map(({ pid }) => pid),
    recordsUrl: records.url,
  };
  const stack = started.move();
  return {
    ...openAtrium(addresses),
    addresses,
    platform,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
