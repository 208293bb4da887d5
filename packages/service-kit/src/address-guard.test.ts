import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

const guard = createAddressGuard([]);

type Quad = [number, number, number, number];
const byte = fc.nat(255);
const anyV4 = fc.tuple(byte, byte, byte, byte);
const publicV4 = fc.constantFrom<Quad>([93, 184, 216, 34], [1, 1, 1, 1], [8, 8, 8, 8]);
/** The special-purpose registry of IANA for IPv4, and multicast. */
const reservedV4 = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(0), fc.constantFrom(0, 2), byte),
  fc.tuple(fc.constant(192), fc.constant(88), fc.constant(99), byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc.tuple(fc.constant(198), fc.constant(51), fc.constant(100), byte),
  fc.tuple(fc.constant(203), fc.constant(0), fc.constant(113), byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);
const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
const tail = (count: number) => fc.array(group, { minLength: count, maxLength: count });

const hex = (n: number) => n.toString(16).padStart(2, '0');
const groups = ([a, b, c, d]: Quad) => `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`;
const inverted = (quad: Quad) => quad.map((n) => 255 - n) as Quad;

/** Ways in which an IPv6 address carries an IPv4 one to another network, by their RFC. */
const tunnels: [string, (quad: Quad) => string][] = [
  ['v4-compatible (4291)', (quad) => `::${groups(quad)}`],
  ['v4-compatible, dotted', (quad) => `::${quad.join('.')}`],
  ['v4-translated (2765)', (quad) => `::ffff:0:${groups(quad)}`],
  ['NAT64 (6052)', (quad) => `64:ff9b::${groups(quad)}`],
  ['NAT64, dotted', (quad) => `64:ff9b::${quad.join('.')}`],
  ['local NAT64 (8215)', (quad) => `64:ff9b:1::${groups(quad)}`],
  ['6to4 (3056)', (quad) => `2002:${groups(quad)}::1`],
  ['Teredo server (4380)', (quad) => `2001:0:${groups(quad)}::1`],
  ['Teredo client (4380)', (quad) => `2001:0:5db8:d822:0:ffff:${groups(inverted(quad))}`],
];

describe('the address guard', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001:830::200e'])(
    'lets %s through',
    (address) => expect(guard(address)).toBe(true),
  );

  it.each([
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
  ])('refuses the cloud metadata address %s', (address) => {
    expect(guard(address)).toBe(false);
    const network = address.includes(':') && !address.includes('.') ? 'fd00::/8' : '0.0.0.0/0';
    expect(createAddressGuard([network])(address)).toBe(true);
  });

  it('refuses every reserved IPv4 address, plain and v4-mapped', () => {
    fc.assert(
      fc.property(reservedV4, (quad) => {
        expect(guard(quad.join('.'))).toBe(false);
        expect(guard(`::ffff:${quad.join('.')}`)).toBe(false);
        expect(guard(`::ffff:${groups(quad)}`)).toBe(false);
        expect(guard(`0:0:0:0:0:FFFF:${groups(quad)}`)).toBe(false);
      }),
    );
  });

  it('checks a v4-mapped address as the IPv4 address that it contains', () => {
    fc.assert(
      fc.property(fc.oneof(publicV4, anyV4), (quad) => {
        expect(guard(`::ffff:${groups(quad)}`)).toBe(guard(quad.join('.')));
      }),
    );
  });

  it.each(tunnels)('refuses %s for any inner address', (_name, carry) => {
    fc.assert(
      fc.property(fc.oneof(publicV4, reservedV4), (quad) => {
        expect(guard(carry(quad))).toBe(false);
      }),
    );
  });

  it.each([
    ['outside of global unicast', fc.constantFrom('0', '100', '1fff', '4000', '5f00', 'e000'), 7],
    ['unique local', fc.integer({ min: 0xfc00, max: 0xfdff }).map((n) => n.toString(16)), 7],
    ['link-local', fc.integer({ min: 0xfe80, max: 0xfebf }).map((n) => n.toString(16)), 7],
    ['site-local', fc.integer({ min: 0xfec0, max: 0xfeff }).map((n) => n.toString(16)), 7],
    ['multicast', fc.integer({ min: 0xff00, max: 0xffff }).map((n) => n.toString(16)), 7],
    ['for documentation', fc.constantFrom('2001:db8'), 6],
    ['for documentation too', fc.constantFrom('3fff:0', '3fff:fff'), 6],
    ['an IETF assignment', fc.constantFrom('2001:2', '2001:10', '2001:20', '2001:1ff'), 6],
  ] as const)('refuses what is %s', (_name, start, rest) => {
    fc.assert(
      fc.property(start, tail(rest), (first, others) => {
        expect(guard([first, ...others].join(':'))).toBe(false);
      }),
    );
  });

  it('refuses an address with a zone, even a public one', () => {
    const address = fc.constantFrom('fe80::1', '::1', '2606:4700::1111', 'ff02::1');
    fc.assert(
      fc.property(address, fc.constantFrom('eth0', '1', 'lo'), (address, zone) => {
        expect(guard(`${address}%${zone}`)).toBe(false);
        expect(guard(`${address}%25${zone}`)).toBe(false);
      }),
    );
  });

  it('refuses IPv4 addresses that are not in dotted decimal notation', () => {
    fc.assert(
      fc.property(fc.oneof(publicV4, reservedV4), ([a, b, c, d]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const others = [
          String(number),
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `${a}.${b * 65_536 + c * 256 + d}`,
          `${a}.${b}.${c * 256 + d}`,
          [a, b, c, d].map((n) => `0${n.toString(8)}`).join('.'),
          [a, b, c, d].map((n) => `0x${hex(n)}`).join('.'),
          `${a}.${b}.${c}.${d}.`,
        ];
        for (const text of others) expect(guard(text)).toBe(false);
      }),
    );
  });

  it('refuses text that is not an address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const plain = /^(\d{1,3}\.){3}\d{1,3}$|^[0-9a-f:]*:[0-9a-f:.]*$/i.test(text);
        expect(plain || !guard(text)).toBe(true);
      }),
    );
  });

  it('accepts exempt networks, also as v4-mapped addresses', () => {
    const exempt = createAddressGuard(['127.0.0.0/8', 'fd00::/8']);
    expect(exempt('127.0.0.1')).toBe(true);
    expect(exempt('::ffff:127.0.0.1')).toBe(true);
    expect(exempt('fd00::1')).toBe(true);
    expect(exempt('10.0.0.1')).toBe(false);
    expect(exempt('::127.0.0.1')).toBe(false);
  });
});
