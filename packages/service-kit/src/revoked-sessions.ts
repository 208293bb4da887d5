import {
  REVOKED_SESSIONS_FIELD,
  RevokedSessionBatch,
  revokedSessionsBeatKey,
  revokedSessionsEpochKey,
  revokedSessionsKey,
} from '@atrium/contracts/revoked-sessions';
import type { Redis } from 'ioredis';
import { Value } from 'typebox/value';
import { fetchRevokedSessions, sessionDigest } from './revoked-sessions-request.ts';
import { unavailable } from './http-error.ts';
import type { Logger } from './logger.ts';

const POLL_INTERVAL_MS = 500;
/** A service that starts beside auth waits for it. */
const UNFILLED_INTERVAL_MS = 50;
const SWEEP_INTERVAL_MS = 60_000;
const ENTRIES_PER_READ = 100;

/**
 * The revoked sessions whose access tokens have not expired yet, in memory. An entry goes when the
 * last of its tokens has expired, so the list is as long as the sessions ended within one lifetime
 * of an access token.
 */
export class RevokedSessionSet {
  readonly #clockMs: () => number;
  readonly #expiresAtMs = new Map<string, number>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(clockMs: () => number = Date.now) {
    this.#clockMs = clockMs;
  }

  get size(): number {
    return this.#expiresAtMs.size;
  }

  has(sessionId: string): boolean {
    return this.#expiresAtMs.has(sessionId);
  }

  /** What is known and still needed. */
  entries(): RevokedSessionBatch {
    const nowMs = this.#clockMs();
    return [...this.#expiresAtMs].filter(([, expiresAtMs]) => expiresAtMs > nowMs);
  }

  /** Adds a batch; entries whose time has passed are forgotten once a minute. */
  add(batch: RevokedSessionBatch): void {
    for (const [sessionId, expiresAtMs] of batch) {
      this.#expiresAtMs.set(sessionId, expiresAtMs);
    }
    const nowMs = this.#clockMs();
    if (nowMs - this.#sweptAtMs < SWEEP_INTERVAL_MS) {
      return;
    }
    this.#sweptAtMs = nowMs;
    for (const [sessionId, expiresAtMs] of this.#expiresAtMs) {
      if (expiresAtMs <= nowMs) {
        this.#expiresAtMs.delete(sessionId);
      }
    }
  }
}

export interface RevokedSessions extends AsyncDisposable {
  /**
   * Whether the session has ended; for `createAuthenticator`.
   * @throws HttpError 503 until the list has been read once: who knows nothing lets nobody in
   */
  readonly isRevoked: (sessionId: string) => boolean;
  /** For readiness: resolves once the list has been read. */
  check(): Promise<void>;
}

/**
 * Follows the sessions that auth has ended, by reading its stream in Redis every 500 ms. While Redis
 * is away, or nobody can fill the stream, auth itself is asked as often. When neither answers, the
 * list that is known stays in force; what was missed is read afterwards. Waits for the first reading,
 * but not for a Redis that is away.
 *
 * @param options.queuePrefix `QUEUE_PREFIX`, the same in every service
 * @param options.authUrl `AUTH_URL`; without it only Redis is read
 * @param options.intervalMs 500
 */
export async function followRevokedSessions(options: {
  redis: Redis;
  queuePrefix: string;
  authUrl?: string;
  logger?: Logger;
  clockMs?: () => number;
  intervalMs?: number;
}): Promise<RevokedSessions> {
  const { redis, queuePrefix, authUrl, logger, clockMs = Date.now } = options;
  const { intervalMs = POLL_INTERVAL_MS } = options;
  const list = new RevokedSessionSet(clockMs);
  /** What auth itself has told, by digests. */
  const told = new RevokedSessionSet(clockMs);
  const stream = revokedSessionsKey(queuePrefix);
  const epochKey = revokedSessionsEpochKey(queuePrefix);
  const beatKey = revokedSessionsBeatKey(queuePrefix);
  let epoch: string | undefined;
  /** The list was read once as a whole, from Redis or from auth. */
  let isKnown = false;
  /** The entry read last; undefined makes the next reading begin at the beginning. */
  let position: string | undefined;
  let isFailing = false;
  let isBehind = false;
  let isAuthFailing = false;
  let isClosed = false;

  /** @returns whether the stream is being filled */
  async function read(): Promise<boolean> {
    // First, so that a filling which began after it is known to be unread.
    const [currentEpoch = null, beat = null] = await redis.mget(epochKey, beatKey);
    if (currentEpoch !== null && currentEpoch !== epoch) {
      position = undefined;
    }
    let entries;
    do {
      const from = position === undefined ? '-' : `(${position}`;
      entries = await redis.xrange(stream, from, '+', 'COUNT', ENTRIES_PER_READ);
      for (const [id, fields] of entries) {
        list.add(parseBatch(fields, logger));
        position = id;
      }
    } while (entries.length === ENTRIES_PER_READ);
    epoch = currentEpoch ?? epoch;
    isKnown ||= epoch !== undefined;
    return currentEpoch !== null && beat !== null;
  }

  async function readStream(): Promise<boolean> {
    try {
      const isFilled = await read();
      isFailing = false;
      return isFilled;
    } catch (error) {
      // Another Redis may answer next, whose entries are numbered by another clock.
      position = undefined;
      if (!isFailing && !isClosed) {
        logger?.warn({ err: error }, 'revoked sessions cannot be followed, will try again');
      }
      isFailing = true;
      return false;
    }
  }

  async function askAuth(): Promise<void> {
    if (authUrl === undefined) {
      return;
    }
    try {
      told.add(await fetchRevokedSessions(authUrl));
      isKnown = true;
      isAuthFailing = false;
    } catch (error) {
      if (isKnown && !isAuthFailing && !isClosed) {
        logger?.warn({ err: error }, 'neither Redis nor auth tells which sessions end');
      }
      isAuthFailing = isKnown;
    }
  }

  async function poll(): Promise<void> {
    // Side by side once Redis has failed, whose timeout would otherwise delay the answer of auth.
    const asking = isBehind ? askAuth() : undefined;
    isBehind = !(await readStream());
    await (isBehind ? (asking ?? askAuth()) : asking);
  }

  await poll();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  function schedule(): void {
    const delayMs = isKnown ? intervalMs : Math.min(UNFILLED_INTERVAL_MS, intervalMs);
    timer = setTimeout(() => {
      running = poll().finally(() => isClosed || schedule());
    }, delayMs);
  }
  schedule();

  return {
    isRevoked(sessionId) {
      if (!isKnown) {
        throw unavailable('Tokens cannot be verified at the moment', 2);
      }
      return list.has(sessionId) || (told.size > 0 && told.has(sessionDigest(sessionId)));
    },
    async check() {
      if (!isKnown) {
        throw unavailable('The revoked sessions are not known yet');
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function parseBatch(fields: string[], logger: Logger | undefined): RevokedSessionBatch {
  const text = fields[fields.indexOf(REVOKED_SESSIONS_FIELD) + 1] ?? '';
  try {
    const batch: unknown = JSON.parse(text);
    if (Value.Check(RevokedSessionBatch, batch)) {
      return batch;
    }
  } catch (error) {
    logger?.debug({ err: error }, 'an entry about revoked sessions is not JSON');
  }
  logger?.error('an entry about revoked sessions cannot be read');
  return [];
}
