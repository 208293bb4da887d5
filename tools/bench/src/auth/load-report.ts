import { startChild } from '../child.ts';

/** What a load generator is to send. */
export interface LoadOptions {
  origin: string;
  kind: 'get' | 'login' | 'token';
  /** Only for `get`. */
  path?: string;
  /** Access tokens of `get`, email addresses of `login`, ids and secrets of applications of `token`. */
  values: string[];
  password?: string;
  /** Sent before anything is measured. */
  warmUpSeconds: number;
  /** Measured for so long. */
  seconds: number;
  inFlight: number;
}

export interface LoadReport {
  /** Answers of 2xx. */
  perSecond: number;
  /** All others by their status. */
  refused: Record<number, number>;
  p99Ms: number;
}

/**
 * Runs one load in a process of its own.
 *
 * @throws Error when more than one in a hundred was refused
 */
export async function load(options: LoadOptions): Promise<LoadReport> {
  await using child = startChild('auth/load.ts');
  await child.next<{ ready: true }>('ready');
  const done = child.next<LoadReport>('p99Ms');
  child.process.send(options);
  const report = await done;
  const refused = Object.values(report.refused).reduce((sum, count) => sum + count, 0);
  if (refused > (report.perSecond * options.seconds) / 100) {
    throw new Error(`${options.kind} was refused: ${JSON.stringify(report)}`);
  }
  return report;
}
