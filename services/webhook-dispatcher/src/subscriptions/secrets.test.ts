import { expect, test } from 'vitest';
import { testKeyRing } from '../sending/sender.fixture.ts';
import { createSubscriptionSecrets, newSecret, openHeaders, sealHeaders } from './secrets.ts';

test('makes a secret of whsec_ and 32 random bytes in base64', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});

test('encrypts headers for their own subscription and use only', () => {
  const keyRing = testKeyRing();
  const headers = { Authorization: 'Bearer abc', 'X-A': '1' };
  const sealed = sealHeaders(keyRing, 'whk_1', headers);
  expect(sealed).not.toContain('abc');
  expect(openHeaders(keyRing, 'whk_1', sealed)).toEqual(headers);
  expect(() => openHeaders(keyRing, 'whk_2', sealed)).toThrow('authenticate');
  expect(() => openHeaders(keyRing, 'whk_1', keyRing.encrypt('{}', 'whk_1'))).toThrow(
    'authenticate',
  );
  expect(sealHeaders(keyRing, 'whk_1', {})).toBeNull();
  expect(openHeaders(keyRing, 'whk_1', null)).toEqual({});
});

test('decrypts each sealed text once', () => {
  const keyRing = testKeyRing();
  let opened = 0;
  const secrets = createSubscriptionSecrets({
    ...keyRing,
    decrypt(sealed, context) {
      opened += 1;
      return keyRing.decrypt(sealed, context);
    },
  });
  const first = keyRing.encrypt(newSecret(), 'whk_1');
  expect(secrets.keysOf('whk_1', first)).toBe(secrets.keysOf('whk_1', first));
  const rotated = keyRing.encrypt(newSecret(), 'whk_1');
  expect(secrets.keysOf('whk_1', rotated)).not.toBe(secrets.keysOf('whk_1', first));
  const sealed = sealHeaders(keyRing, 'whk_1', { 'X-A': '1', 'X-B': '2' }) ?? '';
  expect(secrets.headersOf('whk_1', sealed)).toEqual(['X-A', '1', 'X-B', '2']);
  secrets.headersOf('whk_1', sealed);
  expect(opened).toBe(3);
});
