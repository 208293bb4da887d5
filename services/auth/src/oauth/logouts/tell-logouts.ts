import type { Logger } from '@atrium/service-kit/logger';
import type { Database } from '../../database.ts';
import type { OauthProvider } from '../provider/provider.ts';
import { deleteLogout, leaseLogouts, type Logout, postponeLogout } from './store.ts';

const AT_ONCE = 20;
/** An application that does not answer must not delay what the others are told. */
const AT_ONCE_EACH = 2;
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
  for (let count = 1; count > 0 && !signal.aborted;) {
    const nowMs = clockMs();
    const untilMs = nowMs + LEASE_MS;
    const lease = { nowMs, untilMs, limit: AT_ONCE, perApplication: AT_ONCE_EACH };
    const due = await leaseLogouts(database, lease);
    await Promise.all(due.map((logout) => tell(deps, logout)));
    count = due.length;
  }
}

async function tell(deps: TellLogoutsDeps, logout: Logout): Promise<void> {
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
}
