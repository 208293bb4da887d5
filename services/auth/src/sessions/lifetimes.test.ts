import { until } from '@atrium/testkit/until';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { inputOf, makeAccount, signIn, startTestApp, valueOf } from '../test-app.ts';
import { purgeDevices } from '../devices/device-store.ts';
import { purgeRefreshTokens, purgeSessions } from './refresh-store.ts';

const app = await startTestApp({ RATE_LIMITS: 'on' });
afterAll(() => app[Symbol.asyncDispose]());

const refresh = (refreshToken: string, device = '') =>
  app.call('POST', '/auth/refresh', { cookies: { refreshToken, device } });

function claimsOf(accessToken: unknown): { sid: string; iat: number; exp: number } {
  return JSON.parse(Buffer.from(String(accessToken).split('.')[1] ?? '', 'base64url').toString());
}

describe('the end of a session', () => {
  test('security 16: no access token outlives the session', async () => {
    const { refreshToken, accessToken, device } = await makeAccount(app, 'lastminute');
    const { sid } = claimsOf(accessToken);
    const endsAtMs = Date.now() + 600_000;
    await app.db.query(
      'UPDATE sessions SET expires_at = $1, access_expires_at = now() WHERE id = $2',
      [new Date(endsAtMs), sid],
    );
    for (const answer of [await refresh(refreshToken), await refresh(refreshToken, device)]) {
      const { iat, exp } = claimsOf(answer.body['accessToken']);
      expect([exp > iat, exp]).toEqual([true, Math.floor(endsAtMs / 1000)]);
    }
    const [row] = await app.db.query<{ accessExpiresAt: Date }>(
      'SELECT access_expires_at AS "accessExpiresAt" FROM sessions WHERE id = $1',
      [sid],
    );
    expect(row?.accessExpiresAt.getTime()).toBe(endsAtMs);
  });

  test('security 19: a refresh with a shorter token lifetime keeps the end of earlier tokens', async () => {
    const { refreshToken, accessToken } = await makeAccount(app, 'shortened');
    const { sid } = claimsOf(accessToken);
    const endOfTokens = async () => {
      const [row] = await app.db.query<{ accessExpiresAt: Date }>(
        'SELECT access_expires_at AS "accessExpiresAt" FROM sessions WHERE id = $1',
        [sid],
      );
      return row?.accessExpiresAt;
    };
    // As if issued before ACCESS_TOKEN_TTL_SECONDS was lowered.
    await app.db.query(
      `UPDATE sessions SET access_expires_at = access_expires_at + interval '1 day' WHERE id = $1`,
      [sid],
    );
    const before = await endOfTokens();
    expect((await refresh(refreshToken)).status).toBe(200);
    expect(await endOfTokens()).toEqual(before);
  });

  test('security 19: a session can be revoked while an access token or a portal link of it may be valid', async () => {
    const { accessToken } = await makeAccount(app, 'outlived');
    const { sid } = claimsOf(accessToken);
    const isThere = async () =>
      (await app.db.query('SELECT 1 FROM sessions WHERE id = $1', [sid])).length === 1;
    const [row] = await app.db.query<{ accessExpiresAt: Date }>(
      `UPDATE sessions SET expires_at = now() - interval '1 s' WHERE id = $1
       RETURNING access_expires_at AS "accessExpiresAt"`,
      [sid],
    );
    const lastTokenMs = row?.accessExpiresAt.getTime() ?? Number.NaN;
    expect(Math.floor(lastTokenMs / 1000)).toBe(claimsOf(accessToken).exp);
    await purgeSessions(app.db, Date.now() + 1000, 100);
    expect(await isThere()).toBe(true);
    await purgeSessions(app.db, lastTokenMs + 3_659_000, 100);
    expect(await isThere()).toBe(true);
    await purgeSessions(app.db, lastTokenMs + 3_661_000, 100);
    expect(await isThere()).toBe(false);
  });
});

describe('what one session may store', () => {
  const rowsOf = async (sid: string) =>
    (await app.db.query('SELECT 1 FROM refresh_tokens WHERE session_id = $1', [sid])).length;

  test('limits refreshes by the hour, not counting repeated ones', async () => {
    // The budget comes back with time: it stands still unless the test moves it.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { refreshToken, accessToken, device } = await makeAccount(app, 'spinner');
    const { sid } = claimsOf(accessToken);
    let [last, current] = ['', refreshToken];
    let answer = await refresh(current);
    while (answer.status === 200 && (await rowsOf(sid)) < 1000) {
      [last, current] = [current, valueOf(answer.cookies['refreshToken'])];
      answer = await refresh(current);
    }
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(await rowsOf(sid)).toBe(301);
    const again = await refresh(last, device);
    expect([again.status, valueOf(again.cookies['refreshToken'])]).toEqual([200, current]);
    app.clock.advanceMs = 3_601_000;
    expect((await refresh(current)).status).toBe(200);
    app.clock.advanceMs = 0;
  });

  test('deletes the oldest of thousands of used tokens, but none of the last day', async () => {
    const { refreshToken, accessToken } = await makeAccount(app, 'forgetful');
    const { sid } = claimsOf(accessToken);
    const addUsed = (age: string, count: number) =>
      app.db.query(
        `INSERT INTO refresh_tokens (hash, session_id, created_at, rotated_at, successor_hash,
                                     expires_at)
         SELECT sha256(($2::text || n)::bytea), $1, at, at, sha256('next'), now() + interval '1 day'
         FROM generate_series(1, $3::int) n,
              LATERAL (SELECT now() - $2::text::interval - n * interval '1 ms' AS at)`,
        [sid, age, count],
      );
    await addUsed('2 days', 150);
    await addUsed('23 hours', 2100);
    await app.db.query('UPDATE sessions SET refresh_count = 1999 WHERE id = $1', [sid]);
    const counts = [];
    let current = refreshToken;
    for (let n = 0; n < 4; n += 1) {
      current = valueOf((await refresh(current)).cookies['refreshToken']);
      counts.push(await rowsOf(sid));
    }
    // One more each time; from the second on a hundred go, and then what is left of the oldest.
    expect(counts).toEqual([2252, 2153, 2104, 2105]);
  });

  test('security 13: reuse of a token from last week revokes the session', async () => {
    const { refreshToken, accessToken } = await makeAccount(app, 'weekold');
    const successor = valueOf((await refresh(refreshToken)).cookies['refreshToken']);
    await app.db.query(
      `UPDATE refresh_tokens SET created_at = now() - interval '6 days',
              rotated_at = rotated_at - interval '6 days'
       WHERE session_id = $1 AND rotated_at IS NOT NULL`,
      [claimsOf(accessToken).sid],
    );
    await purgeRefreshTokens(app.db, Date.now(), 100);
    const next = valueOf((await refresh(successor)).cookies['refreshToken']);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await refresh(next)).status).toBe(401);
  });
});

describe('the devices that an account knows', () => {
  const devicesOf = async (accountId: string) =>
    app.db.query<{ browser: string }>(
      'SELECT browser FROM account_devices WHERE account_id = $1 ORDER BY last_seen_at, browser',
      [accountId],
    );
  const addDevices = (accountId: string, from: number, to: number, seenAt: string) =>
    app.db.query(
      `INSERT INTO account_devices (account_id, fingerprint, browser, os, last_seen_at)
       SELECT $1, sha256(n::text::bytea), 'Browser ' || n, 'Linux', ${seenAt}
       FROM generate_series($2::int, $3::int) n`,
      [accountId, from, to],
    );

  test('are limited to a hundred, dropping the one unused for longest', async () => {
    const { id, email, username } = await makeAccount(app, 'traveller');
    await addDevices(id, 1, 99, `now() - (100 - n) * interval '1 minute'`);
    expect(await devicesOf(id)).toHaveLength(100);
    await signIn(app, { email, username });
    const devices = await devicesOf(id);
    expect(devices).toHaveLength(100);
    expect(devices[0]?.browser).toBe('Browser 2');
  });

  test('are deleted after 400 days, except the last one', async () => {
    const { id, email, username } = await makeAccount(app, 'sleeper');
    await app.db.query('DELETE FROM account_devices');
    await addDevices(id, 1, 3, `now() - (400 + n) * interval '1 day'`);
    const other = await makeAccount(app, 'awake');
    await addDevices(other.id, 1, 3, `now() - (398 + n) * interval '1 day'`);
    await until(async () => (await purgeDevices(app.db, Date.now(), 2)) < 2);
    expect((await devicesOf(id)).map(({ browser }) => browser)).toEqual(['Browser 1']);
    expect((await devicesOf(other.id)).map(({ browser }) => browser)).toEqual([
      'Browser 1',
      'Unknown browser',
    ]);
    // A later login from an unknown device must still notify the owner.
    await signIn(app, { email, username });
    const events = await app.db.query('SELECT 1 FROM outbox WHERE account_id = $1', [id]);
    expect(events).toHaveLength(1);
    expect(inputOf(username).email).toBe(email);
  });
});
