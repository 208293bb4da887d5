import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * The network of an address, /24 for IPv4 and /48 for IPv6: it shows where a session is used without
 * identifying a person. Anything else is "unknown".
 */
export function coarseNetworkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined && isIPv4(ipv4)) {
    return `${ipv4.slice(0, ipv4.lastIndexOf('.'))}.0/24`;
  }
  const [withoutZone = ''] = address.split('%');
  if (!isIPv6(withoutZone)) {
    return 'unknown';
  }
  const groups = expand(withoutZone).slice(0, 3).join(':');
  const { address: compressed } = new SocketAddress({ family: 'ipv6', address: `${groups}::` });
  return `${compressed}/48`;
}

/** All eight groups, with the zeros that `::` stands for. */
function expand(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const leading = head === '' ? [] : head.split(':');
  const trailing = tail === '' ? [] : tail.split(':');
  const zeros = Math.max(0, 8 - leading.length - trailing.length);
  return [...leading, ...Array.from({ length: zeros }, () => '0'), ...trailing];
}
