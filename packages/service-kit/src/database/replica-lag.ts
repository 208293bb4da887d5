import type { Logger } from '../logger.ts';
import type { Sql } from './sql.ts';

const MEASURE_EVERY_MS = 1_000;

/** Up to here the log of the primary is on its disk, which every commit waits for before it is answered. */
const WRITTEN = `SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS position`;
/** Null on a server that is no standby. */
const REPLAYED = `
  SELECT CASE WHEN pg_is_in_recovery()
    THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 END AS position`;

/** How far a standby is behind its primary. */
export interface ReplicaLag extends Disposable {
  /** The standby has all that was committed longer ago than this; Infinity when that is not known. */
  lagMs(): number;
}

/**
 * Asks both servers for their positions each second. The clocks of servers do not matter: a position of the
 * primary that the standby has replayed is as old as the question for it.
 *
 * @param options.primary waits behind no request: a busy server must not get the reads of its standby too
 * @param options.maxLagMs beyond which a log line says that the standby is not used
 */
export async function measureReplicaLag(options: {
  primary: Sql;
  standby: Sql;
  maxLagMs: number;
  logger: Logger;
}): Promise<ReplicaLag> {
  const { primary, standby, maxLagMs, logger } = options;
  let written: { position: number; askedMs: number }[] = [];
  /** All that was committed before this moment is on the standby. */
  let replayedMs = Number.NEGATIVE_INFINITY;
  let isUsed = true;
  let isMeasuring = false;
  const lagMs = () => performance.now() - replayedMs;

  function report(error?: unknown): void {
    const wasUsed = isUsed;
    isUsed = lagMs() < maxLagMs;
    if (isUsed === wasUsed) return;
    if (isUsed) logger.info('the standby answers reads again');
    else
      logger.warn({ err: error }, 'the standby is away or behind, the primary answers all reads');
  }

  async function measure(): Promise<void> {
    const askedMs = performance.now();
    // Without it, what the standby has grows old by itself.
    const position = await readPosition(primary, WRITTEN).catch(() => undefined);
    if (position === undefined) return report();
    written = written.filter((each) => askedMs - each.askedMs < maxLagMs);
    written.push({ position, askedMs });
    const replayed = await readPosition(standby, REPLAYED);
    const last = written.findLastIndex((each) => each.position <= replayed);
    replayedMs = written[last]?.askedMs ?? replayedMs;
    written.splice(0, last + 1);
    report();
  }

  async function measureOnce(): Promise<void> {
    if (isMeasuring) return;
    isMeasuring = true;
    await measure().catch((error: unknown) => {
      replayedMs = Number.NEGATIVE_INFINITY;
      report(error);
    });
    isMeasuring = false;
  }

  await measureOnce();
  const timer = setInterval(() => void measureOnce(), MEASURE_EVERY_MS);
  timer.unref();
  return { lagMs, [Symbol.dispose]: () => clearInterval(timer) };
}

async function readPosition(server: Sql, text: string): Promise<number> {
  const [row] = await server.query<{ position: number | null }>(text);
  const position = row?.position ?? null;
  if (position === null) throw new Error('DATABASE_READ_URL is not the URL of a standby');
  return position;
}
