import type { Logger } from '@atrium/service-kit/logger';
import type { Database } from '../../database.ts';
import type { OauthProvider } from '../provider/provider.ts';
import { deleteLogout, leaseLogouts, type Logout, postponeLogout } from './store.ts';

const AT_ONCE = 20;
/** The applications of one owner, who may have many that do not answer, must not delay what others are told. */
const AT_ONCE_EACH = 2;
/** Owners of whom it is remembered when they were served. */
const SERVED_MAX = 1000;
const LEASE_MS = 60_000;
/** After the first attempt, each time after a longer while. */
const ATTEMPTS_MAX = 6;
const FIRST_DELAY_MS = 30_000;

export interface TellLogoutsDeps {
  database: Database;
  provider: OauthProvider;
  logger: Logger;
  clockMs: () => number;
}

/** Tells applications that somebody has logged out (OpenID Connect Back-Channel Logout 1.0). */
export async function tellLogouts(deps: TellLogoutsDeps, signal: AbortSignal): Promise<void> {
  const { database, clockMs } = deps;
  const running = new Map<Logout, Promise<Logout>>();
  /** The owner who was served last comes last: many with applications that do not answer must not delay the others. */
  const served = new Set<string>();
  for (;;) {
    const nowMs = clockMs();
    const due = signal.aborted
      ? []
      : await leaseLogouts(database, {
          nowMs,
          untilMs: nowMs + LEASE_MS,
          limit: AT_ONCE - running.size,
          perOwner: AT_ONCE_EACH,
          busy: [...running.keys()].map(({ owner }) => owner),
          served: [...served].slice(-SERVED_MAX),
        });
    for (const logout of due) {
      served.delete(logout.owner);
      served.add(logout.owner);
      running.set(logout, tell(deps, logout));
    }
    if (running.size === 0) return;
    running.delete(await Promise.race(running.values()));
  }
}

/** @returns what it was given, which is then done with */
async function tell(deps: TellLogoutsDeps, logout: Logout): Promise<Logout> {
  const { database, provider, logger, clockMs } = deps;
  const { sid, accountId, applicationId, attempts } = logout;
  try {
    await provider.tellLogout({ sid, accountId, applicationId });
    await deleteLogout(database, sid);
  } catch (error) {
    logger.info({ err: error, applicationId, attempts }, 'an application was not told of a logout');
    if (attempts >= ATTEMPTS_MAX) await deleteLogout(database, sid);
    else {
      const dueAt = new Date(clockMs() + FIRST_DELAY_MS * 4 ** (attempts - 1));
      await postponeLogout(database, sid, dueAt);
    }
  }
  return logout;
}
