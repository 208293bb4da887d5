import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { createLogger } from '@atrium/service-kit/logger';
import { describe, expect, test } from 'vitest';
import {
  makeAccount,
  openTestDatabase,
  signIn,
  startTestApp,
  TEST_KEYS,
  type TestApp,
} from '../test-app.ts';
import { rotateDueSigningKey, rotateSigningKey } from './rotation.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';

const OTHER_KEY = `k2:${Buffer.alloc(32, 9).toString('base64')}`;
const COMMAND = fileURLToPath(new URL('../rotate-signing-key.ts', import.meta.url));
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const keyRing = parseKeyRing([TEST_KEYS]);
const logger = createLogger({ service: 'auth', level: 'silent' });

/** A database of keys, and auth processes that share it and a clock. */
async function startKeys() {
  await using stack = new AsyncDisposableStack();
  const { url, db } = stack.use(await openTestDatabase());
  const clock = { nowMs: Date.now() };
  const options = { database: db, keyRing, accessTokenTtlSeconds: 900, maxAgeDays: 90, logger };
  const kept = stack.move();
  return {
    db,
    databaseUrl: url,
    clock,
    open: async (ring = keyRing) =>
      kept.use(await openSigningKeys({ ...options, keyRing: ring, clockMs: () => clock.nowMs })),
    rotate: (atOnce = false, ring = keyRing) =>
      rotateSigningKey({ ...options, keyRing: ring, nowMs: clock.nowMs, atOnce }),
    rotateDue: () => rotateDueSigningKey({ ...options, nowMs: clock.nowMs }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The ids of those that sign access tokens. */
const kidsOf = (keys: SigningKeys) =>
  keys.published().keySet.keys.flatMap(({ kty, kid }) => (kty === 'OKP' ? [kid] : []));

const kidOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('the signing keys', () => {
  test('processes that start together create one key, encrypted at rest', async () => {
    await using keys = await startKeys();
    const opened = await Promise.all(Array.from({ length: 5 }, () => keys.open()));
    expect(new Set(opened.map((one) => one.current().kid)).size).toBe(1);
    const rows = await keys.db.query<{ private_key: string }>('SELECT * FROM signing_keys');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows[0])).not.toContain('PRIVATE KEY');

    const rewrapped = await keys.open(parseKeyRing([OTHER_KEY, TEST_KEYS]));
    expect(rewrapped.current().kid).toBe(opened[0]?.current().kid);
    await expect(keys.open(parseKeyRing([OTHER_KEY]))).rejects.toThrow('has no key "k1"');
  });

  test('a key that is too old is followed by one new key, also when several processes rotate', async () => {
    await using keys = await startKeys();
    const first = (await keys.open()).current().kid;
    await keys.rotateDue();
    keys.clock.nowMs += 90 * DAY_MS - 14 * MINUTE_MS;
    await Promise.all(Array.from({ length: 5 }, () => keys.rotateDue()));
    const opened = await Promise.all(Array.from({ length: 5 }, () => keys.open()));
    const published = opened.map(kidsOf);
    expect(new Set(published.map(String)).size).toBe(1);
    expect(published[0]).toHaveLength(2);
    expect(opened.map((one) => one.current().kid)).toEqual(opened.map(() => first));
    // It signs after a quarter of an hour, in all processes at the same time.
    keys.clock.nowMs += 15 * MINUTE_MS;
    const second = published[0]?.find((kid) => kid !== first);
    expect(opened.map((one) => one.current().kid)).toEqual(opened.map(() => second));
  });

  test('security 21: an old key verifies until its last token has expired, not after', async () => {
    await using keys = await startKeys();
    const process = await keys.open();
    const old = process.current().kid;
    const fresh = await keys.rotate();
    expect(await process.keySet.load(fresh)).toBeUndefined();
    keys.clock.nowMs += 1000;
    expect(await process.keySet.load(fresh)).toBeDefined();
    expect(process.current().kid).toBe(old);
    keys.clock.nowMs += 15 * MINUTE_MS;
    expect(process.current().kid).toBe(fresh);
    expect(process.keySet.find(old)).toBeDefined();
    const { version } = process.keySet;
    keys.clock.nowMs += 16 * MINUTE_MS;
    expect(process.keySet.find(old)).toBeUndefined();
    expect(process.keySet.version).toBeGreaterThan(version);
    expect(kidsOf(process)).toEqual([fresh]);
    await keys.rotateDue();
    const held = `SELECT kid FROM signing_keys WHERE private_key <> '' OR rsa_private_key <> ''`;
    expect(await keys.db.query(held)).toEqual([{ kid: fresh }]);
  });

  test('a key that only verifies needs no key of the ring', async () => {
    await using keys = await startKeys();
    const old = (await keys.open()).current().kid;
    const ring = parseKeyRing([OTHER_KEY]);
    const both = parseKeyRing([OTHER_KEY, TEST_KEYS]);
    const fresh = await keys.rotate(false, both);
    await expect(keys.open(ring)).rejects.toThrow('has no key "k1"');
    keys.clock.nowMs += 16 * MINUTE_MS;
    const process = await keys.open(ring);
    expect(process.current().kid).toBe(fresh);
    expect(process.keySet.find(old)).toBeDefined();
  });

  test('security 21: a compromised key is withdrawn at once', async () => {
    await using keys = await startKeys();
    const old = (await keys.open()).current().kid;
    const fresh = await keys.rotate(true);
    const process = await keys.open();
    expect([process.current().kid, process.keySet.find(old)]).toEqual([fresh, undefined]);
    expect(await keys.db.query('SELECT kid FROM signing_keys')).toEqual([{ kid: fresh }]);
  });
});

test('the command rotates the key, at once when it is compromised', async () => {
  await using keys = await startKeys();
  const process = await keys.open();
  const old = process.current().kid;
  const env = { DATABASE_URL: keys.databaseUrl, SECRETS_KEYS: TEST_KEYS };
  const run = (...args: string[]) =>
    promisify(execFile)(execPath, [COMMAND, ...args], { env, timeout: 50_000 });
  await run();
  const published = async () => {
    const opened = await keys.open();
    return [opened.current().kid === old, kidsOf(opened).length];
  };
  expect(await published()).toEqual([true, 2]);
  await run('--compromised');
  keys.clock.nowMs = Date.now();
  expect(await published()).toEqual([false, 1]);
  await expect(run('--nonsense')).rejects.toThrow('Command failed');
});

describe('access tokens after a rotation', () => {
  const meStatus = async (app: TestApp, token: string) =>
    (await app.call('GET', '/user/me', { token })).status;

  test('security 21: old tokens are accepted during the overlap, not after', async () => {
    await using app = await startTestApp({ ACCESS_TOKEN_TTL_SECONDS: '7200' });
    const rotation = { database: app.db, keyRing, accessTokenTtlSeconds: 900 };
    const account = await makeAccount(app, 'rotated');
    expect(await meStatus(app, account.accessToken)).toBe(200);
    const fresh = await rotateSigningKey({ ...rotation, nowMs: Date.now(), atOnce: false });
    app.clock.advanceMs = 20 * MINUTE_MS;
    // The process loads the key when a token names it.
    const unknown = account.accessToken.replace(/^[^.]+/, () => headerOf(fresh));
    expect(await meStatus(app, unknown)).toBe(401);
    const renewed = await signIn(app, account);
    expect(kidOf(renewed.accessToken)).toBe(fresh);
    expect([
      await meStatus(app, account.accessToken),
      await meStatus(app, renewed.accessToken),
    ]).toEqual([200, 200]);
    app.clock.advanceMs = 32 * MINUTE_MS;
    expect([
      await meStatus(app, account.accessToken),
      await meStatus(app, renewed.accessToken),
    ]).toEqual([401, 200]);
  });

  const headerOf = (kid: string) =>
    Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid })).toString('base64url');

  test('the key set is public and cacheable', async () => {
    await using app = await startTestApp();
    const answer = await app.call('GET', '/.well-known/jwks.json');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
    const base64 = expect.stringMatching(/^[\w-]{43}$/);
    expect(answer.body).toEqual({
      keys: [
        { kty: 'OKP', crv: 'Ed25519', x: base64, kid: base64, alg: 'EdDSA', use: 'sig' },
        // For ID tokens.
        { kty: 'RSA', n: expect.any(String), e: 'AQAB', kid: base64, alg: 'RS256', use: 'sig' },
      ],
    });
    const etag = String(answer.headers['etag']);
    const known = { 'if-none-match': `"other", W/${etag}` };
    const unchanged = await app.call('GET', '/.well-known/jwks.json', { headers: known });
    expect([unchanged.status, unchanged.body, unchanged.headers['etag']]).toEqual([304, {}, etag]);
    const other = { 'if-none-match': '"other"' };
    expect((await app.call('GET', '/.well-known/jwks.json', { headers: other })).status).toBe(200);
  });
});
