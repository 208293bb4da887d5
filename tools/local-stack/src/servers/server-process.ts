import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, type DaemonOptions, startDaemon } from '../processes/daemon.ts';

const POLL_INTERVAL_MS = 30;
const LOG_TAIL_LINES = 12;

/** A Postgres or Redis server that we have started. */
export interface LocalServer {
  /** Where clients connect; for Postgres the maintenance database `postgres`. */
  url: string;
  port: number;
  pid: number;
  /** Resolves with the reason when the server has exited, expectedly or not. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a server whose output replaces `logFile`, and waits until `ready` succeeds.
 * @throws Error with the end of the log when it ends first or takes longer than `timeoutMs`.
 */
export async function startServerProcess(
  name: string,
  logFile: string,
  options: Omit<DaemonOptions, 'output'>,
  ready: () => Promise<void>,
  timeoutMs = 90_000,
): Promise<Daemon> {
  await using log = await open(logFile, 'w', 0o600);
  const daemon = await startDaemon({ ...options, output: log.fd });
  let ended: string | null = null;
  void daemon.exited.then((reason) => (ended = reason));
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    try {
      await ready();
      return daemon;
    } catch (error) {
      if (ended === null && Date.now() < deadlineMs) {
        await sleep(POLL_INTERVAL_MS);
        continue;
      }
      await daemon.stop();
      const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
      const tail = lines.slice(-LOG_TAIL_LINES).join('\n');
      throw new Error(`${name} did not start (${ended ?? 'no answer'}):\n${tail}`, {
        cause: error,
      });
    }
  }
}
