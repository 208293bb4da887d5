import { afterAll, describe, expect, test } from 'vitest';
import {
  addPasskey,
  addTotp,
  interrupt,
  passFirstStep,
  passkeyOptions,
  takeSecondStep,
} from '../second-factor/second-factor.fixture.ts';
import { makeAccount, startTestApp } from '../test-app.ts';
import {
  type Ceremony,
  startAuthenticator,
} from '../second-factor/passkeys/authenticator.fixture.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const REFUSED = { error: 'Unauthorized', message: 'Passkey was not accepted' };

const begin = async () => (await app.call('POST', '/auth/passkey/options')).body;
const logIn = (credential: object) => app.call('POST', '/auth/passkey', { body: { credential } });

describe('without a password', () => {
  test('a passkey logs in as a password does', async () => {
    const account = await makeAccount(app, 'passwordless');
    const { authenticator } = await addPasskey(app, account);
    const options = await begin();
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'web.example',
      timeout: 60_000,
      userVerification: 'required',
    });
    const answer = await logIn(authenticator.get(options));
    expect([answer.status, Object.keys(answer.cookies).toSorted()]).toEqual([
      200,
      ['device', 'refreshToken'],
    ]);
    expect(answer.body).toMatchObject({ user: { id: account.id } });
    const me = await app.call('GET', '/user/me', { token: String(answer.body['accessToken']) });
    expect(me.status).toBe(200);
  });

  test.each<[string, string, Ceremony]>([
    ['another origin', 'origin', { origin: 'https://web.example.evil.example' }],
    ['an origin that Postgres cannot store', 'stored', { origin: 'https://\0\ud800.example' }],
    ['a subdomain', 'subdomain', { origin: 'https://login.web.example' }],
    ['another relying party', 'party', { rpId: 'evil.example' }],
    ['an invented challenge', 'challenge', { challenge: 'A'.repeat(43) }],
    ['a user who was not verified', 'unverified', { isUserVerified: false }],
    ['another account', 'handle', { userHandle: Buffer.from('usr_other').toString('base64url') }],
  ])('security 27: %s is refused', async (_, name, ceremony) => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, `pk-${name}`));
    const answer = await logIn(authenticator.get(await begin(), ceremony));
    expect([answer.status, answer.body, answer.cookies]).toEqual([401, REFUSED, {}]);
    expect((await logIn(authenticator.get(await begin()))).status).toBe(200);
  });

  test('security 27: a challenge works once, even if that login failed', async () => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, 'pk-replay'));
    const options = await begin();
    const credential = authenticator.get(options);
    expect((await logIn(credential)).status).toBe(200);
    const replay = await logIn(credential);
    expect([replay.status, replay.body, replay.cookies]).toEqual([401, REFUSED, {}]);
    expect((await logIn(authenticator.get(options))).status).toBe(401);

    const failed = await begin();
    await logIn(authenticator.get(failed, { isUserVerified: false }));
    expect((await logIn(authenticator.get(failed))).status).toBe(401);
  });

  test('security 27: one of ten parallel logins with one credential succeeds', async () => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, 'pk-parallel'));
    const credential = authenticator.get(await begin());
    const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(credential)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('can be repeated when Postgres went away meanwhile', async () => {
    const account = await makeAccount(app, 'pk-interrupted');
    const { authenticator } = await addPasskey(app, account);
    const credential = authenticator.get(await begin());
    const answer = await interrupt(app, account, () => logIn(credential));
    expect(answer.status).toBe(503);
    expect((await logIn(credential)).status).toBe(200);
  });

  test('security 27: a challenge expires after five minutes', async () => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, 'pk-late'));
    const options = await begin();
    app.clock.advanceMs += 301_000;
    expect((await logIn(authenticator.get(options))).status).toBe(401);
  });

  test('security 27: refuses a counter that does not advance', async () => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, 'pk-clone'));
    expect((await logIn(authenticator.get(await begin(), { counter: 41 }))).status).toBe(200);
    for (const counter of [41, 40, 0]) {
      const answer = await logIn(authenticator.get(await begin(), { counter }));
      expect([answer.status, answer.body]).toEqual([401, REFUSED]);
    }
    expect((await logIn(authenticator.get(await begin(), { counter: 42 }))).status).toBe(200);
  });

  test('security 27: one of two parallel logins with a cloned passkey succeeds', async () => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, 'pk-twins'));
    const credentials = await Promise.all(
      Array.from({ length: 8 }, async () => authenticator.get(await begin(), { counter: 9 })),
    );
    const answers = await Promise.all(credentials.map(logIn));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('accepts a counter that is always 0', async () => {
    const account = await makeAccount(app, 'pk-zero');
    const { authenticator, passkeyId } = await addPasskey(app, account);
    await app.db.query('UPDATE passkeys SET counter = 0 WHERE id = $1', [passkeyId]);
    for (const counter of [0, 0]) {
      expect((await logIn(authenticator.get(await begin(), { counter }))).status).toBe(200);
    }
  });

  test('security 27: refuses another key, a changed signature and an unknown passkey', async () => {
    const { authenticator } = await addPasskey(app, await makeAccount(app, 'pk-forged'));
    const unregistered = startAuthenticator();
    expect((await logIn(unregistered.get(await begin()))).status).toBe(401);
    const options = await begin();
    const { id, rawId } = authenticator.get(options);
    expect((await logIn({ ...unregistered.get(options), id, rawId })).status).toBe(401);
  });
});

describe('as the second step', () => {
  test('a passkey completes a login by password', async () => {
    const account = await makeAccount(app, 'second-pk');
    const { authenticator, recoveryCodes } = await addPasskey(app, account);
    expect(recoveryCodes).toHaveLength(10);
    const mfaToken = await passFirstStep(app, account);
    const options = await passkeyOptions(app, mfaToken);
    const passkey = authenticator.get(options, { isUserVerified: false });
    expect(options['allowCredentials']).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal'] },
    ]);
    const answer = await takeSecondStep(app, mfaToken, { passkey });
    expect([answer.status, Object.keys(answer.cookies).toSorted()]).toEqual([
      200,
      ['device', 'refreshToken'],
    ]);
  });

  test('security 27: a challenge works only for its purpose and account', async () => {
    const account = await makeAccount(app, 'crossed');
    const { authenticator } = await addPasskey(app, account);
    const other = await makeAccount(app, 'crosser');
    const theirs = await addPasskey(app, other);
    const mfaToken = await passFirstStep(app, account);
    const otherToken = await passFirstStep(app, other);

    const forLogin = authenticator.get(await begin());
    const forSecondStep = authenticator.get(await passkeyOptions(app, mfaToken));
    const forOther = authenticator.get(await passkeyOptions(app, otherToken));
    expect((await takeSecondStep(app, mfaToken, { passkey: forLogin })).status).toBe(401);
    expect((await logIn(forSecondStep)).status).toBe(401);
    expect((await takeSecondStep(app, mfaToken, { passkey: forOther })).status).toBe(401);

    const passkey = theirs.authenticator.get(await passkeyOptions(app, mfaToken));
    const answer = await takeSecondStep(app, mfaToken, { passkey });
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
  });

  test('either factor works beside the other, and a second factor brings no recovery codes', async () => {
    const account = await addTotp(app, await makeAccount(app, 'both'));
    const code = account.codes.next();
    const { authenticator, recoveryCodes } = await addPasskey(app, account, { code });
    expect(recoveryCodes).toBeNull();
    const byCode = await passFirstStep(app, account);
    const answer = await takeSecondStep(app, byCode, { code: account.codes.next() });
    expect(answer.status).toBe(200);
    const byPasskey = await passFirstStep(app, account);
    const passkey = authenticator.get(await passkeyOptions(app, byPasskey));
    expect((await takeSecondStep(app, byPasskey, { passkey })).status).toBe(200);
  });
});
