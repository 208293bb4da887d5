import { randomUUID } from 'node:crypto';
import {
  REVOKED_SESSIONS_FIELD,
  type RevokedSessionBatch,
  revokedSessionsBeatKey,
  revokedSessionsEpochKey,
  revokedSessionsKey,
} from '@atrium/contracts/revoked-sessions';
import type { Sql } from '@atrium/service-kit/database';
import type { Redis } from 'ioredis';
import { FROM_THE_START, revocationPages } from './revoked-session-store.ts';

/**
 * All that is needed is sent anew this often, which heals whatever Redis may have lost unnoticed;
 * the stream keeps what was sent within three such times.
 */
const RESEND_INTERVAL_MS = 300_000;
const KEEP_MS = 3 * RESEND_INTERVAL_MS;
/** Beyond it, everything is sent anew instead. */
const UNSENT_MAX = 10_000;
const BATCH_MAX = 500;
/** Two of the intervals at which something is sent; then the others ask this service instead. */
const BEAT_MS = 1000;

export interface RevocationStream {
  add(batch: RevokedSessionBatch): void;
  /** Sends what is new, or everything when Redis may have lost something. */
  send(): Promise<void>;
  /** Redis was away and may have come back with less than it had. */
  forget(): void;
}

/** The sending side of the stream, which `followRevokedSessions` of the service kit reads. */
export function createRevokedSessionStream(options: {
  sql: Sql;
  redis: Redis;
  queuePrefix: string;
  clockMs: () => number;
}): RevocationStream {
  const { sql, redis, queuePrefix, clockMs } = options;
  const key = revokedSessionsKey(queuePrefix);
  const epochKey = revokedSessionsEpochKey(queuePrefix);
  const beatKey = revokedSessionsBeatKey(queuePrefix);
  let unsent: RevokedSessionBatch = [];
  /** The filling of the stream that this process has taken part in. */
  let epoch: string | undefined;
  let filledAtMs = Number.NEGATIVE_INFINITY;

  const append = (batch: RevokedSessionBatch) =>
    redis.xadd(key, '*', REVOKED_SESSIONS_FIELD, JSON.stringify(batch));

  async function fill(found: string | null): Promise<void> {
    unsent = [];
    epoch = undefined;
    const startedAtMs = clockMs();
    const draft = `${epochKey}:${randomUUID()}`;
    if (found === null) {
      await redis.set(draft, randomUUID(), 'PX', RESEND_INTERVAL_MS);
    }
    for await (const { batch } of revocationPages(sql, FROM_THE_START, clockMs())) {
      await append(batch);
    }
    if (found === null) {
      // Fails when Redis has lost the draft meanwhile, and with it what was written after it.
      await redis.rename(draft, epochKey);
      await redis.persist(epochKey);
    }
    // By Redis's own clock, which numbers the entries.
    const [seconds] = await redis.time();
    await redis.xtrim(key, 'MINID', '~', Math.max(0, Number(seconds) * 1000 - KEEP_MS));
    epoch = (await redis.get(epochKey)) ?? undefined;
    filledAtMs = startedAtMs;
  }

  return {
    add(batch: RevokedSessionBatch): void {
      unsent.push(...batch);
      if (unsent.length > UNSENT_MAX) {
        unsent = [];
        epoch = undefined;
      }
    },
    async send(): Promise<void> {
      const found = await redis.get(epochKey);
      const isDue = clockMs() - filledAtMs >= RESEND_INTERVAL_MS;
      if (found === null || found !== epoch || isDue) {
        await fill(found);
      }
      while (unsent.length > 0) {
        const batch = unsent.slice(0, BATCH_MAX);
        await append(batch);
        unsent.splice(0, batch.length);
      }
      await redis.set(beatKey, '1', 'PX', BEAT_MS);
    },
    forget(): void {
      epoch = undefined;
    },
  };
}
