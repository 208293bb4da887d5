import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** What a client is counted by: an account by its id, an IP address by its network. */
export const clientKeyOf = (client: string): string => networkOf(client) ?? client;

/**
 * What a client's IP address counts as: an IPv4 address, also one in IPv6 form (RFC 4291 section
 * 2.5.5.2), as itself; an IPv6 address as its /64, for a single customer has at least that many to
 * choose from (RFC 6177). Undefined for what is none.
 */
export function networkOf(address: string): string | undefined {
  if (isIPv4(address)) {
    return address;
  }
  const [bare = ''] = address.split('%', 1);
  if (!isIPv6(bare)) {
    return undefined;
  }
  // The URL parser writes every address in one form (RFC 5952), dotted endings in hexadecimal.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = MAPPED.exec(canonical);
  if (mapped !== null) {
    const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
    return high === undefined || low === undefined
      ? undefined
      : [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** The IPv6 /48 of a network, of which one customer may have all networks (RFC 6177); an IPv4 address as it is. */
export const siteOf = (network: string): string => network.split(':').slice(0, 3).join(':');
