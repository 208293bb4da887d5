import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import Type from 'typebox';

/** Whether an IP address (as text) may be connected to. */
export type AddressGuard = (address: string) => boolean;

class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError';
}

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([\d.]+|[\da-f:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}

/** A variable with networks such as 10.0.0.0/8 and fd00::/8, as `createAddressGuard` takes them. */
export const Networks = Type.Array(Type.Refine(Type.String(), isNetwork), {
  default: [],
  description: 'networks separated by commas, such as 10.0.0.0/8',
});

// Global unicast by range, but they lead into other networks or nowhere: 6to4 and its relays, Teredo
// and the other IETF assignments, documentation (RFC 9637).
const RESERVED_CIDRS = ['192.88.99.0/24', '2002::/16', '2001::/23', '3fff::/20'];
// Where clouds give credentials to whoever asks. All but the first are private by range too; they are
// listed so that each is refused whatever ipaddr.js makes of its range.
const METADATA_CIDRS = [
  // Azure, WireServer: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '168.63.129.16/32',
  // AWS, Azure, Google, Oracle, DigitalOcean: the link-local address that all of them share; IPv6 of
  // AWS: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  '169.254.169.254/32',
  'fd00:ec2::254/128',
  // AWS ECS: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint-v4.html
  '169.254.170.2/32',
  // Google: https://cloud.google.com/compute/docs/metadata/querying-metadata
  'fd20:ce::254/128',
  // Alibaba: https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
  '100.100.100.200/32',
  // Oracle: https://docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm
  'fd00:c1::a9fe:a9fe/128',
];
const reservedNetworks = [...RESERVED_CIDRS, ...METADATA_CIDRS].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);
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
    // Only what a socket takes as an address: other notations (0177.1, 0x7f000001) are parsed
    // differently elsewhere. A zone (fe80::1%eth0) names an interface of this machine.
    if (isIP(address) === 0 || address.includes('%')) return false;
    const parsed = ipaddr.process(withoutDots(address));
    if (matchesAny(parsed, allowed)) return true;
    if (parsed.range() !== 'unicast' || matchesAny(parsed, reservedNetworks)) return false;
    return parsed.kind() === 'ipv4' || matchesAny(parsed, [globalUnicastV6]);
  };
}

/** `::10.0.0.1` as `::a00:1`: ipaddr.js would read the former as `::ffff:10.0.0.1`, sockets do not. */
function withoutDots(address: string): string {
  return address.replace(
    /:(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_tail, a: string, b: string, c: string, d: string) =>
      `:${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
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
  return isIP(host) === 0 ? undefined : host;
}

export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/** A `lookup` for sockets that fails unless every address of the name may be connected to. */
export function checkedLookup(guard: AddressGuard, resolve: ResolveName): LookupFunction {
  return (hostname, options, answer) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) answer(new Error('The host has no address'), '', 0);
        else if (!addresses.every(({ address }) => guard(address))) {
          const error = new ForbiddenAddressError('The host has a private or reserved address');
          answer(error, '', 0);
        } else if (options.all) answer(null, addresses);
        else answer(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, '', 0),
    );
  };
}
