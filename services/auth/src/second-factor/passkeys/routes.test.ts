import { startReceiver } from '@atrium/testkit/receiver';
import { afterAll, describe, expect, test } from 'vitest';
import { addPasskey, interrupt, makeVerified, passFirstStep } from '../second-factor.fixture.ts';
import { PASSWORD, signIn, startTestApp } from '../../test-app.ts';
import { androidKeyAttestation, selfAttestation } from './attestations.fixture.ts';
import { type Ceremony, startAuthenticator } from './authenticator.fixture.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const begin = async (token: string, body: object = { password: PASSWORD }) =>
  app.call('POST', '/user/passkeys/options', { token, body });
const add = (token: string, credential: object, name = 'Key') =>
  app.call('POST', '/user/passkeys', { token, body: { name, credential } });
const list = (token: string, query = '') => app.call('GET', `/user/passkeys${query}`, { token });
const remove = (token: string, id: string, body: object) =>
  app.call('POST', `/user/passkeys/${id}/remove`, { token, body });

describe('adding', () => {
  test('returns creation options and lists the new passkey', async () => {
    const { accessToken, id } = await makeVerified(app, 'adder');
    const options = await begin(accessToken);
    expect([options.status, options.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(options.body).toMatchObject({
      rp: { id: 'web.example', name: 'Atrium' },
      user: { id: Buffer.from(id).toString('base64url'), name: 'adder@example.com' },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    const credential = startAuthenticator().create(options.body);
    const added = await add(accessToken, credential, 'My phone');
    expect([added.status, added.body]).toEqual([
      201,
      {
        passkey: {
          id: expect.stringMatching(/^psk_/),
          name: 'My phone',
          createdAt: expect.any(String),
          lastUsedAt: null,
        },
        recoveryCodes: expect.any(Array),
      },
    ]);
    const { passkey } = added.body;
    expect((await list(accessToken)).body).toEqual({ data: [passkey], nextCursor: null });
  });

  test('needs the password', async () => {
    const { accessToken } = await makeVerified(app, 'unproved');
    expect((await begin(accessToken, { password: 'wrong' })).status).toBe(401);
    expect((await begin(accessToken, {})).status).toBe(400);
  });

  test.each<[string, Ceremony]>([
    ['origin', { origin: 'https://evil.example' }],
    ['relying party', { rpId: 'evil.example' }],
    ['challenge', { challenge: 'B'.repeat(43) }],
  ])('security 27: a passkey made for another %s is refused', async (name, ceremony) => {
    const { accessToken } = await makeVerified(app, `made-${name.replace(' ', '-')}`);
    const { body } = await begin(accessToken);
    const answer = await add(accessToken, startAuthenticator().create(body, ceremony));
    expect([answer.status, answer.body['error']]).toEqual([422, 'Validation Error']);
    expect((await list(accessToken)).body).toEqual({ data: [], nextCursor: null });
  });

  test('takes a passkey that vouches for itself', async () => {
    const { accessToken } = await makeVerified(app, 'selfmade');
    const { body } = await begin(accessToken);
    const credential = startAuthenticator().create(body, { attest: selfAttestation });
    expect((await add(accessToken, credential)).status).toBe(201);
  });

  test('security 27: refuses certificates, and fetches nothing that they name', async () => {
    await using receiver = await startReceiver();
    const { accessToken } = await makeVerified(app, 'certified');
    const { body } = await begin(accessToken);
    const attest = androidKeyAttestation(new URL('/list.crl', receiver.url).href);
    const answer = await add(accessToken, startAuthenticator().create(body, { attest }));
    expect([answer.status, answer.headers['error-code']]).toEqual([422, 'passkey-unverified']);
    expect(receiver.requests).toEqual([]);
  });

  test('security 27: a registration challenge works once, for its account only', async () => {
    const mine = await makeVerified(app, 'registrar');
    const other = await makeVerified(app, 'intruder');
    const { body } = await begin(mine.accessToken);
    expect((await add(other.accessToken, startAuthenticator().create(body))).status).toBe(422);
    expect((await add(mine.accessToken, startAuthenticator().create(body))).status).toBe(201);
    expect((await add(mine.accessToken, startAuthenticator().create(body))).status).toBe(422);
  });

  test('can be repeated when Postgres went away meanwhile', async () => {
    const account = await makeVerified(app, 'interrupted');
    const { body } = await begin(account.accessToken);
    const credential = startAuthenticator().create(body);
    const answer = await interrupt(app, account, () => add(account.accessToken, credential));
    expect(answer.status).toBe(503);
    expect((await add(account.accessToken, credential)).status).toBe(201);
  });

  test('returns 409 for a registered credential', async () => {
    const mine = await makeVerified(app, 'firstowner');
    const authenticator = startAuthenticator();
    await add(mine.accessToken, authenticator.create((await begin(mine.accessToken)).body));
    const other = await makeVerified(app, 'secondowner');
    const { body } = await begin(other.accessToken);
    expect((await add(other.accessToken, authenticator.create(body))).status).toBe(409);
    await signIn(app, other);
  });

  test('returns 422 for a malformed credential', async () => {
    const { accessToken } = await makeVerified(app, 'nonsense');
    const good = startAuthenticator().create((await begin(accessToken)).body);
    for (const attestationObject of ['AAAA', 'oA', good.response.clientDataJSON]) {
      const again = startAuthenticator().create((await begin(accessToken)).body);
      const response = { ...again.response, attestationObject };
      expect((await add(accessToken, { ...again, response })).status).toBe(422);
    }
    const named = startAuthenticator().create((await begin(accessToken)).body);
    expect((await add(accessToken, { ...named, id: 'AAAA', rawId: 'AAAA' })).status).toBe(422);
    const response = { ...good.response, clientDataJSON: 'bnVsbA' };
    expect((await add(accessToken, { ...good, response })).status).toBe(422);
    expect((await add(accessToken, {})).status).toBe(400);
  });

  test('returns 409 for the 21st passkey', async () => {
    const account = await makeVerified(app, 'collector');
    const { body } = await begin(account.accessToken);
    await app.db.query(
      `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, name)
       SELECT 'psk_' || n, $1, 'many' || n, '', 0, '{}', 'Key' FROM generate_series(1, 20) AS n`,
      [account.id],
    );
    const last = await add(account.accessToken, startAuthenticator().create(body));
    expect([last.status, last.body['message']]).toEqual([
      409,
      'An account has at most 20 passkeys',
    ]);
    const first = await list(account.accessToken, '?limit=15');
    const rest = await list(account.accessToken, `?cursor=${String(first.body['nextCursor'])}`);
    const ids = [first, rest].flatMap((page) => page.body['data'] as { id: string }[]);
    expect(new Set(ids.map((one) => one.id)).size).toBe(20);
    expect((await list(account.accessToken, '?cursor=nonsense')).status).toBe(422);
  });
});

describe('changing', () => {
  test('renames only the account’s own passkeys', async () => {
    const account = await makeVerified(app, 'renamer');
    const { passkeyId } = await addPasskey(app, account);
    const other = await makeVerified(app, 'othername');
    const rename = (token: string, name: string) =>
      app.call('PATCH', `/user/passkeys/${passkeyId}`, { token, body: { name } });
    const renamed = await rename(account.accessToken, 'Desk');
    expect([renamed.status, renamed.body['name']]).toEqual([200, 'Desk']);
    expect((await rename(other.accessToken, 'Mine')).status).toBe(404);
    expect((await rename(account.accessToken, '')).status).toBe(422);
  });

  test('removing needs the password and a factor, such as the passkey itself', async () => {
    const account = await makeVerified(app, 'discarder');
    const { accessToken } = account;
    const { authenticator, passkeyId } = await addPasskey(app, account);
    expect((await remove(accessToken, passkeyId, { password: PASSWORD })).status).toBe(401);
    const other = await makeVerified(app, 'otherdiscarder');
    const theirs = await remove(other.accessToken, passkeyId, { password: PASSWORD });
    expect(theirs.status).toBe(404);
    await passFirstStep(app, account);

    const { body } = await app.call('POST', '/user/second-factor/options', { token: accessToken });
    const { methods, passkey: options } = body as { methods: string[]; passkey: object };
    expect(methods).toEqual(['passkey', 'recoveryCode']);
    const passkey = authenticator.get({ ...options });
    const done = await remove(accessToken, passkeyId, { password: PASSWORD, passkey });
    expect([done.status, done.body]).toEqual([200, { message: 'Passkey removed' }]);
    const status = await app.call('GET', '/user/second-factor', { token: accessToken });
    expect(status.body).toEqual({
      enabled: false,
      totp: false,
      passkeys: 0,
      recoveryCodesLeft: 0,
    });
    await signIn(app, account);
  });
});
