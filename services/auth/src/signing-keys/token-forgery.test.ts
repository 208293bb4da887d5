import {
  createPrivateKey,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { PublicJwk } from '@atrium/contracts/auth/tokens';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { createLogger } from '@atrium/service-kit/logger';
import { afterAll, expect, test } from 'vitest';
import { makeAccount, startTestApp, TEST_KEYS } from '../test-app.ts';
import { openSigningKeys } from './signing-keys.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());
const { accessToken } = await makeAccount(app, 'forged');
const [head = '', body = '', signature = ''] = accessToken.split('.');
const decoded = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString());
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const own = generateKeyPairSync('ed25519');
const ownJwk = own.publicKey.export({ format: 'jwk' });
/** Our token with these members replaced, signed with the attacker's own key by default. */
function forge(header: object, claims: object = {}, key: KeyObject = own.privateKey): string {
  const signed = `${encoded({ ...decoded(head), ...header })}.${encoded({ ...decoded(body), ...claims })}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

async function publicKeyText(): Promise<string> {
  const { body: set } = await app.call('GET', '/.well-known/jwks.json');
  return (set as { keys: PublicJwk[] }).keys[0]?.x ?? '';
}

/** The public key, which anyone has, used as the secret of an HMAC. */
function confused(secret: string | Buffer): string {
  const signed = `${encoded({ ...decoded(head), alg: 'HS256' })}.${body}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const pem = (x: string) =>
  // The fixed beginning of an Ed25519 public key in DER (RFC 8410).
  `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(x, 'base64url'),
  ]).toString('base64')}\n-----END PUBLIC KEY-----\n`;

test('security 20: forged access tokens are refused', async () => {
  const x = await publicKeyText();
  const forged = {
    'alg none': `${encoded({ ...decoded(head), alg: 'none' })}.${body}.`,
    'alg None': `${encoded({ ...decoded(head), alg: 'None' })}.${body}.${signature}`,
    'HS256 with the public key': confused(Buffer.from(x, 'base64url')),
    'HS256 with the public key as text': confused(x),
    'HS256 with the public key as PEM': confused(pem(x)),
    'another key under our id': forge({}),
    'unknown kid': forge({ kid: 'unknown' }),
    'no kid': forge({ kid: undefined }),
    'jwk header': forge({ jwk: ownJwk }),
    'jwk header, own kid': forge({ jwk: ownJwk, kid: 'own' }),
    'jku header': forge({ jku: 'https://evil.example/jwks.json', kid: 'own' }),
    'x5u header': forge({ x5u: 'https://evil.example/cert.pem' }),
    'kid that is a path': forge({ kid: '../../dev/null' }),
    'changed claims': `${head}.${encoded({ ...decoded(body), plan: 'pro' })}.${signature}`,
    'no signature': `${head}.${body}.`,
    'no signature at all': `${head}.${body}`,
  };
  for (const [what, token] of Object.entries(forged)) {
    const answer = await app.call('GET', '/user/me', { token });
    expect([what, answer.status, answer.body]).toEqual([
      what,
      401,
      { error: 'Unauthorized', message: 'Invalid token' },
    ]);
  }
  expect((await app.call('GET', '/user/me', { token: accessToken })).status).toBe(200);
});

/** The key that signs our tokens. */
async function ourKey(): Promise<KeyObject> {
  await using keys = await openSigningKeys({
    database: app.db,
    keyRing: parseKeyRing([TEST_KEYS]),
    accessTokenTtlSeconds: 900,
    maxAgeDays: 90,
    clockMs: Date.now,
    logger: createLogger({ service: 'auth', level: 'silent' }),
  });
  return createPrivateKey(keys.current().privateKey);
}

test('security 20: tokens that we signed for another use are refused', async () => {
  const key = await ourKey();
  const answerTo = async (token: string) => {
    const { status, body: answer } = await app.call('GET', '/user/me', { token });
    return [status, answer['message']];
  };
  expect(await answerTo(forge({}, {}, key))).toEqual([200, undefined]);
  const others = {
    'unknown kid': forge({ kid: 'unknown' }, {}, key),
    'no kid': forge({ kid: undefined }, {}, key),
    'no typ': forge({ typ: undefined }, {}, key),
    'other typ': forge({ typ: 'reset+jwt' }, {}, key),
    'other iss': forge({}, { iss: 'somebody' }, key),
    'other aud': forge({}, { aud: 'somewhere' }, key),
    'no sid': forge({}, { sid: undefined }, key),
    'no exp': forge({}, { exp: undefined }, key),
  };
  for (const [what, token] of Object.entries(others)) {
    expect([what, ...(await answerTo(token))]).toEqual([what, 401, 'Invalid token']);
  }
  const expired = forge({}, { exp: Math.floor(Date.now() / 1000) - 1 }, key);
  expect(await answerTo(expired)).toEqual([401, 'Token expired']);
});
