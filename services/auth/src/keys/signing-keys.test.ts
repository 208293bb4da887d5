import { openDatabase } from '@atrium/service-kit/database';
import { createTestDatabase } from '@atrium/testkit/database';
import { expect, test } from 'vitest';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { startTestApp, TEST_KEYS } from '../test-app.ts';
import { loadSigningKeys } from './signing-keys.ts';

const OTHER_KEY = `k2:${Buffer.alloc(32, 9).toString('base64')}`;

test('replicas that start at once agree on one key, which is encrypted at rest', async () => {
  await using owned = await createTestDatabase('auth');
  await using database = openDatabase({ url: owned.url, applicationName: 'keys-test' });
  const keyRing = parseKeyRing([TEST_KEYS]);
  const loaded = await Promise.all(
    Array.from({ length: 5 }, () => loadSigningKeys({ database, keyRing })),
  );
  expect(new Set(loaded.map(({ current }) => current.kid)).size).toBe(1);
  const rows = await database.query<{ private_key: string }>('SELECT * FROM signing_keys');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.private_key).not.toContain('PRIVATE KEY');

  const rotated = parseKeyRing([OTHER_KEY, TEST_KEYS]);
  const after = await loadSigningKeys({ database, keyRing: rotated });
  expect(after.current.kid).toBe(loaded[0]?.current.kid);
  const foreign = parseKeyRing([OTHER_KEY]);
  await expect(loadSigningKeys({ database, keyRing: foreign })).rejects.toThrow('has no key "k1"');
});

test('the key set is public', async () => {
  await using app = await startTestApp();
  const answer = await app.call('GET', '/.well-known/jwks.json');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.stringMatching(/^[\w-]{43}$/),
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
  });
});
