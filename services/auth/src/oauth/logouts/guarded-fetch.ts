import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  type AddressGuard,
  checkedLookup,
  literalAddress,
} from '@atrium/service-kit/address-guard';
import type { ResolveHost } from '@atrium/service-kit/resolver';

const TIMEOUT_MS = 5000;

/**
 * A POST to a URL that somebody else has chosen: only to IP addresses that the guard allows, checked where the
 * connection is made, without following redirects. Of the answer only the status is read.
 */
export function createGuardedFetch(guard: AddressGuard, resolve: ResolveHost): typeof fetch {
  // Each name for itself: the applications of one owner are told few at a time.
  const lookUp = checkedLookup(guard, (hostname) => resolve(hostname, hostname));
  return async (input, init) => {
    const given = new Request(input, init);
    const url = new URL(given.url);
    const body = await given.text();
    const literal = literalAddress(url);
    if (literal !== undefined && !guard(literal)) {
      throw new Error('The host has a private or reserved address');
    }
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      lookup: lookUp,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: Object.fromEntries(given.headers),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      response.on('error', reject).resume();
      resolve(new Response(null, { status: response.statusCode ?? 500 }));
    });
    request.end(body);
    return promise;
  };
}
