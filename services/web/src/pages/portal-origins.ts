import { OpenedPortal } from '@atrium/contracts/webhooks/portal';
import type { Logger } from '@atrium/service-kit/logger';
import { Value } from 'typebox/value';

const DEADLINE_MS = 5_000;

/** Whose request it is: the webhooks service logs and limits it as theirs. */
interface Reader {
  id: string;
  ip: string;
}

/** Whose pages may show the portal of a link: nobody's once it has ended, or while webhooks does not answer. */
export type FindPortalOrigins = (token: string, reader: Reader) => Promise<readonly string[]>;

/** Asks the webhooks service at this URL. */
export function portalOriginsAt(webhooksUrl: string, logger: Logger): FindPortalOrigins {
  return async (token, { id, ip }) => {
    try {
      const response = await fetch(`${webhooksUrl}/api/portal-sessions/open`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-request-id': id,
          'x-forwarded-for': ip,
        },
        body: JSON.stringify({ token }),
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const opened: unknown = await response.json();
      return Value.Check(OpenedPortal, opened) ? opened.portal.origins : [];
    } catch (error) {
      logger.warn({ err: error }, 'the origins of a portal are not known, so no frame shows it');
      return [];
    }
  };
}
