import { hash } from 'node:crypto';
import {
  REVOKED_SESSIONS_PATH,
  RevokedSessionsPage,
} from '@atrium/contracts/auth/revoked-sessions';
import { Value } from 'typebox/value';
import { unavailable } from '../http-error.ts';
import type { Logger } from '../logger.ts';

const POLL_INTERVAL_MS = 500;
/** A service that starts together with auth waits for it. */
const FIRST_POLL_INTERVAL_MS = 50;
const SWEEP_INTERVAL_MS = 60_000;
const REQUEST_TIMEOUT_MS = 1000;
/** Beyond it the rest is read by the next poll. */
const PAGES_PER_POLL = 1000;

/** Reads what was revoked since the cursor; without one, everything that still matters. */
export type ReadRevokedSessions = (cursor?: string) => Promise<RevokedSessionsPage>;

export interface RevokedSessions extends AsyncDisposable {
  /**
   * Whether the session is revoked; for `createAuthenticator`.
   * @throws HttpError 503 until the list has been read once, because any session might be on it
   */
  readonly isRevoked: (sessionId: string) => boolean;
  /** For readiness: resolves once the list has been read. */
  check(): Promise<void>;
  /** Reads what was committed before the call. Never rejects: a failed reading is repeated soon. */
  sync(): Promise<void>;
}

/** What auth publishes instead of a session id, which would reveal the time of the login. */
export function sessionDigest(sessionId: string): string {
  return hash('sha256', sessionId);
}

/** Reads the list from auth over HTTP. @param authUrl `AUTH_URL` */
export function revokedSessionsOf(authUrl: string): ReadRevokedSessions {
  return async (cursor) => {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${authUrl}${REVOKED_SESSIONS_PATH}${query}`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: { accept: 'application/json' },
      redirect: 'error',
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`Auth answered ${response.status}`);
    }
    const page: unknown = await response.json();
    if (!Value.Check(RevokedSessionsPage, page)) {
      throw new TypeError('Auth did not answer with a page of revoked sessions');
    }
    return page;
  };
}

/**
 * Keeps the revoked sessions in memory for as long as auth publishes them, and reads new ones
 * every 500 ms. While they cannot be read the known ones stay in force. Waits for the first reading,
 * but does not fail with it.
 *
 * @param options.intervalMs 500
 */
export async function followRevokedSessions(options: {
  read: ReadRevokedSessions;
  logger?: Logger;
  clockMs?: () => number;
  intervalMs?: number;
}): Promise<RevokedSessions> {
  const { read, logger, clockMs = Date.now, intervalMs = POLL_INTERVAL_MS } = options;
  const expiresAtMs = new Map<string, number>();
  let cursor: string | undefined;
  let sweptAtMs = clockMs();
  let isKnown = false;
  let isFailing = false;
  let isClosed = false;

  async function readNew(): Promise<void> {
    let hasMore = true;
    for (let pages = 0; hasMore && pages < PAGES_PER_POLL; pages += 1) {
      const page = await read(cursor);
      for (const session of page.sessions) {
        expiresAtMs.set(session.digest, session.expiresAtMs);
      }
      cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
    isKnown ||= !hasMore;
  }

  function forgetExpired(): void {
    const nowMs = clockMs();
    if (nowMs - sweptAtMs < SWEEP_INTERVAL_MS) {
      return;
    }
    sweptAtMs = nowMs;
    for (const [digest, atMs] of expiresAtMs) {
      if (atMs <= nowMs) {
        expiresAtMs.delete(digest);
      }
    }
  }

  async function poll(): Promise<void> {
    try {
      await readNew();
      isFailing = false;
    } catch (error) {
      // One line per outage. Before the first reading the readiness check reports it.
      if (isKnown && !isFailing && !isClosed) {
        logger?.warn({ err: error }, 'revoked sessions could not be read, will try again');
      }
      isFailing = true;
    }
    forgetExpired();
  }

  let running = poll();
  let queued: Promise<void> | undefined;
  function sync(): Promise<void> {
    // A reading that has begun may have missed the caller's commit: the next one counts.
    queued ??= running.then(() => {
      queued = undefined;
      running = poll();
      return running;
    });
    return queued;
  }

  await running;
  let timer: NodeJS.Timeout | undefined;
  function schedule(): void {
    const delayMs = isKnown ? intervalMs : Math.min(FIRST_POLL_INTERVAL_MS, intervalMs);
    timer = setTimeout(() => void sync().finally(() => isClosed || schedule()), delayMs);
  }
  schedule();

  return {
    isRevoked(sessionId) {
      if (!isKnown) {
        throw unavailable('Tokens cannot be verified at the moment', 2);
      }
      return expiresAtMs.size > 0 && expiresAtMs.has(sessionDigest(sessionId));
    },
    async check() {
      if (!isKnown) {
        throw unavailable('The revoked sessions are not known yet');
      }
    },
    sync,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(timer);
      await queued;
      await running;
    },
  };
}
