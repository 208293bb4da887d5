import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  type AddressGuard,
  checkedLookup,
  literalAddress,
} from '@atrium/service-kit/address-guard';
import type { ResolveHost } from '@atrium/service-kit/resolver';

const TIMEOUT_MS = 5000;
/** Informational responses (RFC 9110, section 15.2) that are read before the answer. */
const INFORMATIONAL_MAX = 10;
/** Of the body, so that a receiver with a short one may keep its connection. */
const RESPONSE_READ_MAX_BYTES = 16_384;

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
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      lookup: lookUp,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: Object.fromEntries(given.headers),
    });
    request.on('error', reject);
    // After an upgrade of the protocol, which nothing here has asked for, there is no other event.
    request.on('close', () => reject(new Error('The receiver did not answer')));
    let informational = 0;
    request.on('information', () => {
      if (++informational <= INFORMATIONAL_MAX) return;
      const error = `More than ${INFORMATIONAL_MAX} informational responses came before the answer`;
      // Also when the answer stands in the same packet.
      reject(new Error(error));
      request.destroy();
    });
    request.on('response', (response) => {
      let bytes = 0;
      response.on('error', reject).on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > RESPONSE_READ_MAX_BYTES) response.destroy();
      });
      resolve(response.statusCode ?? 500);
    });
    request.end(body);
    // Not in the listener, where the error of a status outside 200 to 599 would end the process.
    return new Response(null, { status: await promise });
  };
}
