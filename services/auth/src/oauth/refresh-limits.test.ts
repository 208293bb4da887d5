import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  type OauthApp,
  relyingParty,
  startOauthApp,
} from './oauth.fixture.ts';

let started: OauthApp;
let config: client.Configuration;
beforeAll(async () => {
  started = await startOauthApp({ RATE_LIMITS: 'on' });
  const owner = await makeVerified(started.app, 'owner');
  const made = await makeApplication(started.app, owner.accessToken);
  config = await relyingParty(started.origin, made);
});
afterAll(() => started?.[Symbol.asyncDispose]());

const scope = 'openid account:read';
const logIn = () => logInTo(config, openBrowser(started.origin), 'owner', { scope });
const refresh = (token = '') => client.refreshTokenGrant(config, token);
const invalidGrant = { status: 400, error: 'invalid_grant' };

/** Adds used refresh tokens to the only grant, as if each was used a second before the one before. */
async function addUsed(count: number, firstUsedAt: Date): Promise<void> {
  await started.app.db.query(
    `INSERT INTO oauth_records (model, id_hash, grant_id, account_id, payload, consumed_at, expires_at)
     SELECT model, sha256(decode($3, 'hex') || int4send(n)), grant_id, account_id, payload,
       $2::timestamptz - n * interval '1 second', expires_at
     FROM (SELECT * FROM oauth_records WHERE model = 'RefreshToken' LIMIT 1) AS one,
       generate_series(1, $1::int) AS n`,
    [count, firstUsedAt, randomBytes(8).toString('hex')],
  );
}

const countStored = async () =>
  (await started.app.db.query(`SELECT 1 FROM oauth_records WHERE model = 'RefreshToken'`)).length;

test('a login is refreshed 300 times an hour; the token stays valid for the next hour', async () => {
  const { refresh_token: token } = await logIn();
  await addUsed(299, new Date());
  const { refresh_token: last } = await refresh(token);
  const refused = await refresh(last).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 429, error: 'temporarily_unavailable' });
  const { response } = refused as client.ResponseBodyError;
  expect(response.headers.get('retry-after')).toBe('60');
  started.app.clock.advanceMs = 3_601_000;
  expect((await refresh(last)).refresh_token).toBeDefined();
  started.app.clock.advanceMs = 0;
  await started.app.db.query('DELETE FROM oauth_grants');
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const usedAt = (time: Date) =>
  started.app.db.query(`UPDATE oauth_records SET consumed_at = $1 WHERE consumed_at IS NOT NULL`, [
    time,
  ]);

test('2,000 refresh tokens of a login are kept, by which a copy is recognised', async () => {
  const { refresh_token: removed } = await logIn();
  const { refresh_token: kept } = await refresh(removed);
  await usedAt(hoursAgo(48));
  await addUsed(2010, hoursAgo(25));
  const { refresh_token: current } = await refresh(kept);
  // Besides the one that was used just now.
  expect(await countStored()).toBe(2001);
  await expect(refresh(removed)).rejects.toMatchObject(invalidGrant);
  const { refresh_token: next } = await refresh(current);
  await expect(refresh(kept)).rejects.toMatchObject(invalidGrant);
  await expect(refresh(next)).rejects.toMatchObject(invalidGrant);
  expect(await countStored()).toBe(0);
});

test('a copy that was used in the last day is recognised after any number of refreshes', async () => {
  const { refresh_token: copied } = await logIn();
  const { refresh_token: current } = await refresh(copied);
  await usedAt(hoursAgo(20));
  await addUsed(2010, hoursAgo(2));
  const { refresh_token: next } = await refresh(current);
  await expect(refresh(copied)).rejects.toMatchObject(invalidGrant);
  await expect(refresh(next)).rejects.toMatchObject(invalidGrant);
  expect(await countStored()).toBe(0);
});
