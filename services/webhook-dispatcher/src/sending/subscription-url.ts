import type { LookupAddress } from 'node:dns';
import type { DestinationKind } from '@atrium/contracts/webhooks/destinations';
import {
  type AddressGuard,
  literalAddress,
  type ResolveName,
} from '@atrium/service-kit/address-guard';
import { HttpError } from '@atrium/service-kit/http-error';
import { isSchemeAllowed, SECURE_SCHEMES } from './schemes.ts';

const RESOLVE_AT_CREATION_MS = 2_000;

export interface SubscriptionUrlRules {
  kind: DestinationKind;
  guard: AddressGuard;
  allowHttp: boolean;
  resolve: ResolveName;
}

/**
 * Throws a Validation Error unless deliveries may go to this URL. A name that cannot be resolved now
 * is accepted: each connection is checked again (see connections.ts), so this check only tells the
 * owner early.
 */
export async function assertSubscriptionUrl(
  text: string,
  { kind, guard, allowHttp, resolve }: SubscriptionUrlRules,
): Promise<void> {
  const url = URL.parse(text);
  if (!url?.hostname) throw new HttpError('url-not-allowed', 'Url must be an absolute URL');
  const scheme = SECURE_SCHEMES[kind];
  if (!isSchemeAllowed(url, scheme, allowHttp)) {
    throw new HttpError('url-not-allowed', `Url must use ${scheme}`);
  }
  if (url.username || url.password) {
    throw new HttpError('url-not-allowed', 'Url must not contain a user name or password');
  }
  if (url.href.includes('#'))
    throw new HttpError('url-not-allowed', 'Url must not contain a fragment');
  if (kind !== 'http' && url.href.includes('?'))
    throw new HttpError('url-not-allowed', 'Url must not contain a query');
  const literal = literalAddress(url);
  const addresses =
    literal === undefined ? await resolveForCheck(url.hostname, resolve) : [literal];
  if (!addresses.every(guard)) {
    throw new HttpError('url-not-allowed', 'Url must not lead to a private or reserved address');
  }
}

async function resolveForCheck(hostname: string, resolve: ResolveName): Promise<string[]> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<LookupAddress[]>();
  const timer = setTimeout(giveUp, RESOLVE_AT_CREATION_MS, []);
  try {
    const found = await Promise.race([resolve(hostname).catch(() => []), late]);
    return found.map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}
