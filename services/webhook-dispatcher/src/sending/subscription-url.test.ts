import type { DestinationKind } from '@atrium/contracts/webhooks/destinations';
import { HttpError } from '@atrium/service-kit/http-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkedLookup, createAddressGuard } from '@atrium/service-kit/address-guard';
import { assertSubscriptionUrl } from './subscription-url.ts';
import { createResolver } from '@atrium/service-kit/resolver';

const guard = createAddressGuard([]);
const PRIVATE = 'Url must not lead to a private or reserved address';

/** A name server with these addresses. */
const resolveFor = createResolver({
  hostsFile: async () => undefined,
  queries: {
    async resolve4(name) {
      const found: Record<string, string[]> = {
        'public.example': ['93.184.216.34'],
        'mixed.example': ['93.184.216.34', '10.0.0.1'],
        'xn--mnchen-3ya.example': ['192.168.0.1'],
      };
      if (found[name] === undefined) throw new Error('ENOTFOUND');
      return found[name].map((address) => ({ address, ttl: 0 }));
    },
    resolve6: async (name) =>
      name === 'mapped.example' ? [{ address: '::ffff:10.0.0.1', ttl: 0 }] : [],
  },
});
const resolve = (hostname: string) => resolveFor(hostname, 'usr_1');
const check = (url: string, allowHttp = false, kind: DestinationKind = 'http') =>
  assertSubscriptionUrl(url, { kind, guard, allowHttp, resolve }).then(
    () => 'accepted',
    (error: unknown) => (error instanceof HttpError ? error.message : 'fault'),
  );

describe('the URL of a subscription', () => {
  it.each<[DestinationKind, string, string]>([
    ['amqp', 'amqps://public.example:5671/vhost', 'accepted'],
    ['redis', 'rediss://public.example/0', 'accepted'],
    ['sqs', 'https://public.example/1/queue.fifo', 'accepted'],
    ['amqp', 'amqp://public.example/', 'Url must use amqps'],
    ['redis', 'https://public.example/', 'Url must use rediss'],
    ['s3', 'rediss://public.example/', 'Url must use https'],
    ['http', 'amqps://public.example/', 'Url must use https'],
    ['amqp', 'amqps://public.example/?heartbeat=0', 'Url must not contain a query'],
    ['amqp', 'amqps://user:pw@public.example/', 'Url must not contain a user name or password'],
    ['redis', 'rediss://10.0.0.1/', PRIVATE],
    ['amqp', 'amqps://[::1]/', PRIVATE],
    ['redis', 'rediss://mixed.example/', PRIVATE],
  ])('of %s: %s is %s', async (kind, url, expected) => {
    expect(await check(url, false, kind)).toBe(expected);
  });

  it.each([
    ['https://public.example/hook', 'accepted'],
    ['https://PUBLIC.example./hook', 'accepted'],
    ['https://unknown-yet.example/hook', 'accepted'],
    ['https://[2606:4700::1111]:8443/x?y=1', 'accepted'],
    ['https://public.example/a%23b', 'accepted'],
    ['http://public.example/hook', 'Url must use https'],
    ['ftp://public.example', 'Url must use https'],
    ['file:///etc/passwd', 'Url must be an absolute URL'],
    ['gopher://public.example', 'Url must use https'],
    ['/hook', 'Url must be an absolute URL'],
    ['https://', 'Url must be an absolute URL'],
    ['https://[fe80::1%25eth0]/', 'Url must be an absolute URL'],
    ['https://user:pw@public.example', 'Url must not contain a user name or password'],
    ['https://user@public.example', 'Url must not contain a user name or password'],
    ['https://:pw@public.example', 'Url must not contain a user name or password'],
    ['https://public.example/hook#part', 'Url must not contain a fragment'],
    ['https://public.example/hook#', 'Url must not contain a fragment'],
    ...[
      'https://mixed.example',
      'https://mapped.example',
      'https://mixed.example.',
      'https://münchen.example',
      'https://xn--mnchen-3ya.example',
      'https://[::1]',
      'https://[::ffff:10.0.0.1]',
      'https://[64:ff9b::7f00:1]',
      'https://localhost',
      'https://a.localhost',
      'https://LOCALHOST.',
      'https://①②⑦.⓪.⓪.①',
      'https://127。0。0。1',
    ].map((url) => [url, PRIVATE]),
  ])('%s: %s', async (url, expected) => expect(await check(String(url))).toBe(expected));

  it('may use http when that is allowed', async () => {
    expect(await check('http://public.example/hook', true)).toBe('accepted');
  });

  it('is refused when its address is private in any notation', async () => {
    const byte = fc.nat(255);
    const quad = fc.tuple(fc.constantFrom(10, 127), byte, byte, byte);
    await fc.assert(
      fc.asyncProperty(quad, async ([a, b, c, d]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const decimal = [a, b, c, d].join('.');
        const hosts = [
          decimal,
          `${decimal}.`,
          String(number),
          `0x${number.toString(16)}`,
          `0X${number.toString(16).toUpperCase()}`,
          `0${number.toString(8)}`,
          `${a}.${(b * 256 + c) * 256 + d}`,
          `${a}.${b}.${c * 256 + d}`,
          [a, b, c, d].map((n) => `0${n.toString(8)}`).join('.'),
          [a, b, c, d].map((n) => `0x${n.toString(16)}`).join('.'),
          decimal.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
          decimal.replace(/\d/g, (digit) => `%3${digit}`),
        ];
        for (const host of hosts) {
          expect([host, await check(`https://${host}/x`)]).toEqual([host, PRIVATE]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a connection', () => {
  const look = (host: string, resolver = resolve) =>
    new Promise((done) =>
      checkedLookup(guard, resolver)(host, { all: true }, (error, found) => done(error ?? found)),
    );

  it('is made to the addresses that were checked', async () => {
    expect(await look('public.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('is not made when one address among public ones is private', async () => {
    expect(await look('mixed.example')).toHaveProperty('name', 'ForbiddenAddressError');
  });

  it('is not made to a name that was public at creation and is private now', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const rebinding = async () =>
      (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
    await assertSubscriptionUrl('https://rebinding.example', {
      kind: 'http',
      guard,
      allowHttp: false,
      resolve: rebinding,
    });
    expect(await look('rebinding.example', rebinding)).toHaveProperty(
      'name',
      'ForbiddenAddressError',
    );
  });

  it('is not made to a name without an address', async () => {
    expect(await look('empty.example', async () => [])).toHaveProperty(
      'message',
      'The host has no address',
    );
  });
});
