import { HttpError } from '@atrium/service-kit/http-error';
import type { onRequestHookHandler } from 'fastify';

/**
 * A hook for routes that are authorised by a cookie alone: it refuses requests from pages of other
 * sites. A request without `Origin` comes from outside a browser or from the same origin. Cross-site
 * requests (`Sec-Fetch-Site`, which pages cannot set) are refused even from an allowed origin: with
 * SameSite=Lax they carry no cookie anyway.
 */
export function createOriginCheck(allowed: string[]): onRequestHookHandler {
  const origins = new Set(allowed.map((url) => new URL(url).origin));
  return (request, _reply, done) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isForeign = site === 'cross-site' || (origin !== undefined && !origins.has(origin));
    done(isForeign ? new HttpError('origin-not-allowed') : undefined);
  };
}
