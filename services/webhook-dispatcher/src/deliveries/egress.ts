import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { validationError } from '@atrium/service-kit/http-error';
import ipaddr from 'ipaddr.js';
import { Agent } from 'undici';

/** Says whether an IP address (as text) may be connected to. */
export type AddressGuard = (address: string) => boolean;

class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError';
}

/** A network such as 10.0.0.0/8 or fd00::/8; `createAddressGuard` is the exact judge. */
export const CIDR_PATTERN =
  '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}/(3[0-2]|[12]?\\d)|' +
  '[0-9a-fA-F:]*:[0-9a-fA-F:]*/(12[0-8]|1[01]\\d|[1-9]?\\d))$';

const RESOLVE_AT_CREATION_MS = 2_000;
// Inside 2000::/3 (or public by name in IPv4), yet they lead into other networks: 6to4 and its relays,
// Teredo and the other IETF assignments.
const RESERVED_CIDRS = ['192.88.99.0/24', '2002::/16', '2001::/23'];
const reservedNetworks = RESERVED_CIDRS.map((cidr) => ipaddr.parseCIDR(cidr));
// All of IPv6's global unicast. Outside it lie the v4-mapped, v4-compatible and NAT64 forms.
const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Public unicast addresses only, plus the networks named as exempt.
 *
 * @param allowedNetworks CIDRs such as `10.0.0.0/8`; throws on text that is not one.
 */
export function createAddressGuard(allowedNetworks: readonly string[]): AddressGuard {
  const allowed = allowedNetworks.map((cidr) => ipaddr.parseCIDR(cidr));
  return (address) => {
    // A zone (fe80::1%eth0) names an interface of this machine: never a public address.
    if (address.includes('%') || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    if (matchesAny(parsed, allowed)) return true;
    if (parsed.range() !== 'unicast' || matchesAny(parsed, reservedNetworks)) return false;
    return parsed.kind() === 'ipv4' || matchesAny(parsed, [globalUnicastV6]);
  };
}

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

function matchesAny(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Cidr[]): boolean {
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** The host of a URL when it is an IP address, without the brackets of IPv6; else undefined. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : undefined;
}

export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/** Resolves by the system: its hosts file and resolver order, as a connection would. */
export function resolveHost(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

export interface SubscriptionUrlRules {
  guard: AddressGuard;
  allowHttp: boolean;
  resolve: ResolveHost;
}

/**
 * Throws a Validation Error unless deliveries may go to this address. A name that cannot be resolved
 * now is let through: each connection is checked again by `createEgressAgent`, so this check is for
 * telling the owner early, not for safety.
 */
export async function assertSubscriptionUrl(
  text: string,
  { guard, allowHttp, resolve }: SubscriptionUrlRules,
): Promise<void> {
  const url = URL.parse(text);
  if (!url?.hostname) throw validationError('Url must be an absolute URL');
  const { protocol } = url;
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:')) {
    throw validationError('Url must use https');
  }
  if (url.username || url.password) {
    throw validationError('Url must not contain a user name or password');
  }
  const literal = literalAddress(url);
  const addresses =
    literal === undefined ? await resolveForCheck(url.hostname, resolve) : [literal];
  if (!addresses.every(guard)) {
    throw validationError('Url must not lead to a private or reserved address');
  }
}

async function resolveForCheck(hostname: string, resolve: ResolveHost): Promise<string[]> {
  // RFC 6761: these always mean the machine itself, whatever a resolver says.
  if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
  const { promise: late, resolve: giveUp } = Promise.withResolvers<LookupAddress[]>();
  const timer = setTimeout(giveUp, RESOLVE_AT_CREATION_MS, []);
  try {
    const found = await Promise.race([resolve(hostname).catch(() => []), late]);
    return found.map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}

/** A `lookup` for sockets that fails unless every address of the name may be connected to. */
export function checkedLookup(guard: AddressGuard, resolve: ResolveHost): LookupFunction {
  return (hostname, options, answer) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => guard(address))) {
          const error = new ForbiddenAddressError('The host has a private or reserved address');
          answer(error, '', 0);
        } else if (options.all) answer(null, addresses);
        else answer(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, '', 0),
    );
  };
}

export interface EgressOptions {
  guard: AddressGuard;
  resolve: ResolveHost;
  connectTimeoutMs: number;
  connectionsPerOrigin: number;
}

/**
 * The only way out to receivers: a socket is opened to an address that has just been checked, so a
 * name cannot be pointed elsewhere between check and use. No proxy is read from the environment.
 */
export function createEgressAgent(options: EgressOptions): Agent {
  return new Agent({
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    allowH2: false,
    // The sender keeps one deadline over connect, headers and body; undici's own are switched off.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: options.connectTimeoutMs,
      lookup: checkedLookup(options.guard, options.resolve),
    },
  });
}
