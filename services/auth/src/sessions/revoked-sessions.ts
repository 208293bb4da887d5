import type { RevokedSessionBatch } from '@atrium/contracts/revoked-sessions';
import type { Sql } from '@atrium/service-kit/database';
import { RevokedSessionSet } from '@atrium/service-kit/revoked-sessions';
import { sessionDigest } from '@atrium/service-kit/revoked-sessions-request';
import type { Logger } from '@atrium/service-kit/logger';
import type { Redis } from 'ioredis';
import { FROM_THE_START, revocationPages } from './revoked-session-store.ts';
import { createRevokedSessionStream } from './revoked-session-stream.ts';

const INTERVAL_MS = 500;

export interface RevokedSessions extends AsyncDisposable {
  /** For `createAuthenticator`. */
  readonly isRevoked: (sessionId: string) => boolean;
  /** The same list, from memory, with a digest in the place of each id. */
  digests(): RevokedSessionBatch;
  /**
   * Reads what was committed before the call, so that it is refused here from now on, and passes it
   * on to the other services. Never rejects: what fails is done again within half a second.
   */
  sync(): Promise<void>;
}

/**
 * Knows the revoked sessions from the database, which is the truth, without Redis; and keeps the
 * stream filled by which the other services know them. Any number of auth processes do so at once:
 * what two of them send changes nothing the second time.
 *
 * @throws what the database throws at the first reading
 */
export async function openRevokedSessions(options: {
  sql: Sql;
  redis: Redis;
  queuePrefix: string;
  logger: Logger;
  clockMs: () => number;
  intervalMs?: number;
}): Promise<RevokedSessions> {
  const { sql, redis, queuePrefix, logger, clockMs, intervalMs = INTERVAL_MS } = options;
  const list = new RevokedSessionSet(clockMs);
  const digests = new RevokedSessionSet(clockMs);
  const stream = createRevokedSessionStream({ sql, redis, queuePrefix, clockMs });
  let since = FROM_THE_START;

  async function readNew(): Promise<void> {
    let next: string | undefined;
    for await (const { batch, horizon } of revocationPages(sql, since, clockMs())) {
      next ??= horizon;
      list.add(batch);
      digests.add(batch.map(([sessionId, expiresAtMs]) => [sessionDigest(sessionId), expiresAtMs]));
      stream.add(batch);
    }
    since = next ?? since;
  }

  await readNew();
  let isClosed = false;
  const once = (what: string) => {
    let isFailing = false;
    return async (work: () => Promise<void>) => {
      try {
        await work();
        isFailing = false;
      } catch (error) {
        if (!isFailing && !isClosed) {
          logger.warn({ err: error }, what);
        }
        isFailing = true;
      }
    };
  };
  const reading = once('revoked sessions cannot be read, will try again');
  const sending = once('other services cannot be told of revoked sessions, will try again');

  let sent = Promise.resolve();
  let isSending = false;
  function send(): void {
    if (isSending) {
      return;
    }
    isSending = true;
    sent = sending(() => stream.send()).finally(() => {
      isSending = false;
    });
  }

  let running = Promise.resolve();
  let queued: Promise<void> | undefined;
  function sync(): Promise<void> {
    // A reading that has begun may have missed the caller's commit: the next one counts.
    queued ??= running.then(() => {
      queued = undefined;
      running = reading(readNew).then(send);
      return running;
    });
    return queued;
  }

  send();
  await sent;
  const onReady = () => stream.forget();
  redis.on('ready', onReady);
  const timer = setInterval(() => void sync(), intervalMs);

  return {
    isRevoked: (sessionId) => list.has(sessionId),
    digests: () => digests.entries(),
    sync,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearInterval(timer);
      redis.off('ready', onReady);
      await queued;
      await running;
      await sent;
    },
  };
}
