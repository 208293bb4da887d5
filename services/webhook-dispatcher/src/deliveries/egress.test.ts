import { HttpError } from '@atrium/service-kit/http-error';
import { describe, expect, it } from 'vitest';
import { assertSubscriptionUrl, checkedLookup, createAddressGuard } from './egress.ts';

const guard = createAddressGuard([]);

describe('the address guard', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001:830::200e'])(
    'lets %s through',
    (address) => expect(guard(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'fc00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
    '',
  ])('refuses %s', (address) => expect(guard(address)).toBe(false));

  it('lets exempt networks through, also as v4-mapped', () => {
    const exempt = createAddressGuard(['127.0.0.0/8', 'fd00::/8']);
    expect(exempt('127.0.0.1')).toBe(true);
    expect(exempt('::ffff:127.0.0.1')).toBe(true);
    expect(exempt('fd00::1')).toBe(true);
    expect(exempt('10.0.0.1')).toBe(false);
  });
});

describe('the address of a subscription', () => {
  const resolve = async (name: string) => {
    if (name === 'public.example') return [{ address: '93.184.216.34', family: 4 }];
    if (name === 'mixed.example') {
      return [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ];
    }
    throw new Error('ENOTFOUND');
  };
  const check = (url: string, allowHttp = false) =>
    assertSubscriptionUrl(url, { guard, allowHttp, resolve }).then(
      () => 'accepted',
      (error: unknown) => (error instanceof HttpError ? error.message : 'fault'),
    );

  it.each([
    ['https://public.example/hook', 'accepted'],
    ['https://unknown-yet.example/hook', 'accepted'],
    ['https://[2606:4700::1111]:8443/x?y=1', 'accepted'],
    ['http://public.example/hook', 'Url must use https'],
    ['ftp://public.example', 'Url must use https'],
    ['/hook', 'Url must be an absolute URL'],
    ['https://', 'Url must be an absolute URL'],
    ['https://user:pw@public.example', 'Url must not contain a user name or password'],
    ...[
      'https://mixed.example',
      'https://127.0.0.1',
      'https://0x7f.1',
      'https://2130706433',
      'https://[::1]',
      'https://[::ffff:10.0.0.1]',
      'https://localhost',
      'https://a.localhost',
      'https://localhost.',
    ].map((url) => [url, 'Url must not lead to a private or reserved address']),
  ])('%s: %s', async (url, expected) => expect(await check(String(url))).toBe(expected));

  it('may use http where that is allowed', async () => {
    expect(await check('http://public.example/hook', true)).toBe('accepted');
  });

  it('is checked again when a connection is made', async () => {
    const lookup = checkedLookup(guard, resolve);
    const look = (host: string) =>
      new Promise((done) => lookup(host, { all: true }, (error, found) => done(error ?? found)));
    expect(await look('public.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(await look('mixed.example')).toHaveProperty('name', 'ForbiddenAddressError');
  });
});
