import { until } from '@atrium/testkit/until';
import { refreshTokenGrant } from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '../../test-app.ts';
import {
  logInTo,
  makeApplication,
  makeVerified,
  type OauthApp,
  openBrowser,
  relyingParty,
  startOauthApp,
} from '../oauth.fixture.ts';

let started: OauthApp;
beforeAll(async () => {
  started = await startOauthApp();
  await started.app.db.query('CREATE TABLE deletions (of text, count int)');
  await started.app.db.query(
    `CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN INSERT INTO deletions SELECT TG_TABLE_NAME, count(*) FROM deleted; RETURN NULL; END $$`,
  );
  for (const table of ['oauth_grants', 'oauth_consents', 'oauth_records']) {
    await started.app.db.query(
      `CREATE TRIGGER counted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS deleted
       FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()`,
    );
  }
});
afterAll(() => started?.[Symbol.asyncDispose]());

/** Logs 1,200 people in to the application, each with a token. */
async function logManyIn(applicationId: string, prefix: string): Promise<void> {
  await started.app.db.query(
    `WITH people AS (
       INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender)
       SELECT $2 || n, name, $2 || n, $2 || n || '@example.com', password_hash, birthdate, gender
       FROM (SELECT * FROM accounts LIMIT 1) AS one, generate_series(1, 1200) AS n
       RETURNING id
     ), consents AS (
       INSERT INTO oauth_consents (id, account_id, application_id, scopes, created_at, last_used_at)
       SELECT 'cns_' || id, id, $1, '{}', now(), now() FROM people
     ), grants AS (
       INSERT INTO oauth_grants (id, account_id, application_id, scopes, created_at, access_expires_at, expires_at)
       SELECT 'gnt_' || id, id, $1, '{}', now(), now(), now() + interval '1 day' FROM people
     )
     INSERT INTO oauth_records (model, id_hash, grant_id, account_id, payload, expires_at)
     SELECT 'RefreshToken', sha256(id::bytea), 'gnt_' || id, id, '{}', now() + interval '1 day' FROM people`,
    [applicationId, prefix],
  );
}

const largest = () =>
  started.app.db.query('SELECT of, max(count) FROM deletions GROUP BY of ORDER BY of');
const inBatches = ['oauth_consents', 'oauth_grants', 'oauth_records'].map((of) => ({
  of,
  max: 500,
}));

test('an application is deleted, and its owner erased, without a statement that deletes many rows', async () => {
  const { app } = started;
  const { accessToken: token } = await makeVerified(app, 'owner');
  const [deleted, erased] = [await makeApplication(app, token), await makeApplication(app, token)];
  await logManyIn(deleted.id, 'first');
  expect((await app.call('DELETE', `/applications/${deleted.id}`, { token })).status).toBe(204);
  expect(await largest()).toEqual(inBatches);

  await app.db.query('DELETE FROM deletions');
  await logManyIn(erased.id, 'second');
  await app.call('DELETE', '/user/me', { token, body: { password: PASSWORD } });
  app.clock.advanceMs = 15 * 86_400_000;
  await app.runJob('erase-accounts');
  app.clock.advanceMs = 0;
  expect(await largest()).toEqual(inBatches);
  for (const table of ['oauth_grants', 'oauth_consents', 'oauth_records']) {
    expect(await app.db.query(`SELECT 1 FROM ${table}`)).toEqual([]);
  }
});

/** Logs in, and 49 times more: the first login has the lowest id, and none was used later. */
async function fillLogins(username: string, scope: string) {
  const { app, origin } = started;
  const { id: accountId, accessToken } = await makeVerified(app, username);
  const config = await relyingParty(origin, await makeApplication(app, accessToken));
  const logIn = () => logInTo(config, openBrowser(origin), username, { scope, prompt: 'consent' });
  const first = await logIn();
  await app.db.query(
    `INSERT INTO oauth_grants (id, account_id, application_id, scopes, created_at, access_expires_at, expires_at)
     SELECT id || n, account_id, application_id, scopes, created_at, access_expires_at, expires_at
     FROM oauth_grants, generate_series(10, 58) AS n WHERE account_id = $1`,
    [accountId],
  );
  return { accountId, config, first, logIn };
}

test('the oldest of 50 unused logins that end with no session ends for another', async () => {
  const { app } = started;
  const scope = 'openid offline_access account:read';
  const { accountId, first, logIn } = await fillLogins('patient', scope);
  const me = async ({ access_token: token }: { access_token: string }) =>
    (await app.call('GET', '/user/me', { token })).status;
  expect(await me(first)).toBe(200);
  const last = await logIn();
  await until(async () => (await me(first)) === 401);
  expect(await me(last)).toBe(200);
  const grants = 'SELECT 1 FROM oauth_grants WHERE account_id = $1';
  expect(await app.db.query(grants, [accountId])).toHaveLength(50);
});

test.each([
  ['services', 'openid offline_access account:read'],
  ['userinfo', 'openid offline_access'],
])('a login for %s that is in use is not ended for another', async (name, scope) => {
  const { config, first, logIn } = await fillLogins(`daily-${name}`, scope);
  const { refresh_token: used = '' } = await refreshTokenGrant(config, first.refresh_token ?? '');
  await logIn();
  expect(await refreshTokenGrant(config, used)).toHaveProperty('refresh_token');
});
