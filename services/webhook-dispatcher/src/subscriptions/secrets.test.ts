import { expect, test } from 'vitest';
import { newSecret } from './secrets.ts';

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});
