import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, type PlatformOptions, startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { type Mailbox, startMailbox } from '@atrium/testkit/mailbox';

export interface Atrium extends AsyncDisposable {
  platform: Platform;
  urls: Platform['urls'];
  mailbox: Mailbox;
  cronSecret: string;
  /** The log lines of all processes so far. */
  logLines: string[];
}

/**
 * Starts the platform as `npm start` does, with servers and a mailbox of its own. Retries are short, so
 * that a test sees all of them.
 */
export async function startAtrium(
  env: Record<string, string> = {},
  overrides: NonNullable<PlatformOptions['overrides']> = {},
): Promise<Atrium> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-acceptance-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const mailbox = started.use(await startMailbox());
  const cronSecret = randomBytes(16).toString('hex');
  const logLines: string[] = [];
  const platform = started.use(
    await startPlatform({
      env: {
        PATH: process.env['PATH'],
        RATE_LIMITS: 'off',
        SMTP_URL: mailbox.smtpUrl,
        CRON_SECRET: cronSecret,
        WEBHOOK_RETRY_DELAYS_MS: '100,100,100,100',
        ...env,
      },
      portBase: await findFreePortBase(),
      dataDir,
      overrides,
      logs: (processName, line) => logLines.push(`${processName} ${line}`),
    }),
  );
  const stack = started.move();
  return {
    platform,
    urls: platform.urls,
    mailbox,
    cronSecret,
    logLines,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
