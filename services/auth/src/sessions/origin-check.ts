import { forbidden } from '@atrium/service-kit/http-error';
import type { onRequestHookHandler } from 'fastify';

/**
 * A hook for routes that a cookie alone authorises: it refuses requests that a page of another site
 * makes. Requests without `Origin` pass, for they come from something that is not a browser or from
 * a browser's same-origin request; `Sec-Fetch-Site`, which pages cannot set, tells the rest. Across
 * sites nothing passes, not even an allowed origin: its requests carry no cookie (SameSite=Lax).
 */
export function createOriginCheck(allowed: string[]): onRequestHookHandler {
  const origins = new Set(allowed.map((url) => new URL(url).origin));
  return (request, _reply, done) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isForeign = site === 'cross-site' || (origin !== undefined && !origins.has(origin));
    done(isForeign ? forbidden('Origin is not allowed') : undefined);
  };
}
