import { setTimeout as sleep } from 'node:timers/promises';
import { OpenedPortal } from '@atrium/contracts/webhooks/portal';
import type { Logger } from '@atrium/service-kit/logger';
import { Value } from 'typebox/value';
import { fetchAgain } from '../fetch-again.ts';

/** For all attempts together. */
const DEADLINE_MS = 5_000;
/** Services that are unavailable ask to be asked again after a second or more. */
const PAUSE_MS = 1_000;

/** Whose request it is: the webhooks service logs and limits it as theirs. */
interface Reader {
  id: string;
  ip: string;
}

/**
 * Without a link that is valid, the pages of a portal say only that it has ended: they use no session, and nothing on
 * them acts for an account.
 */
export const ANY_PAGE = ['*'];

/** Whose pages may show the portal of a link: any once it has ended, none while webhooks does not answer. */
export type FindPortalOrigins = (token: string, reader: Reader) => Promise<readonly string[]>;

/** Asks the webhooks service at this URL. */
export function portalOriginsAt(webhooksUrl: string, logger: Logger): FindPortalOrigins {
  return async (token, { id, ip }) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    try {
      const ask = () =>
        fetchAgain(`${webhooksUrl}/api/portal-sessions/open`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-request-id': id,
            'x-forwarded-for': ip,
          },
          body: JSON.stringify({ token }),
          redirect: 'error',
          signal,
        });
      let response = await ask();
      if (response.status === 503) {
        await response.body?.cancel();
        await sleep(PAUSE_MS);
        response = await ask();
      }
      const { ok, status } = response;
      const opened: unknown = await response.json();
      if ([404, 422].includes(status)) return ANY_PAGE;
      if (!ok) throw new Error(`Webhooks answered ${status}`);
      return Value.Check(OpenedPortal, opened) ? opened.portal.origins : [];
    } catch (error) {
      logger.warn({ err: error }, 'the origins of a portal are not known, so no frame shows it');
      return [];
    }
  };
}
