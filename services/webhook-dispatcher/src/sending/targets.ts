import { type AddressGuard, literalAddress } from './address-guard.ts';

const CACHED_MAX = 20_000;

/** Where a request goes, or why it must not go there. */
export type Target = { origin: string; path: string } | { refusal: string };

export interface TargetRules {
  guard: AddressGuard;
  allowHttp: boolean;
}

/** Reads each address once: parsing a URL costs as much as signing a delivery. */
export function createTargets(rules: TargetRules): (url: string) => Target {
  const cache = new Map<string, Target>();
  return (url) => {
    let target = cache.get(url);
    if (target === undefined) {
      target = readTarget(url, rules);
      if (cache.size >= CACHED_MAX) cache.clear();
      cache.set(url, target);
    }
    return target;
  };
}

/** A literal address never reaches a resolver, so it is checked here, and the scheme too. */
function readTarget(text: string, { guard, allowHttp }: TargetRules): Target {
  const url = URL.parse(text);
  if (url === null) return { refusal: 'The address is not a URL' };
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return { refusal: 'The address does not use https' };
  }
  const literal = literalAddress(url);
  if (literal !== undefined && !guard(literal)) {
    return { refusal: 'The host has a private or reserved address' };
  }
  return { origin: url.origin, path: url.pathname + url.search };
}
