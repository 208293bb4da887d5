import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, describe, expect, test } from 'vitest';
import { addTotp } from '../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, startTestApp, type TestAccount } from '../test-app.ts';
import type { Device } from '../devices/device.ts';
import { insertKnownDeviceLogin } from './known-device-store.ts';
import { newRefreshToken } from '../sessions/refresh-token.ts';
import { type LoginAccount, lockLoginAccount } from '../accounts/login-account-store.ts';

const lines: string[] = [];
const app = await startTestApp({}, { log: { write: (line) => void lines.push(line) } });
afterAll(() => app[Symbol.asyncDispose]());

const logIn = ({ email, device }: TestAccount) =>
  app.call('POST', '/auth/login', { body: { email, password: PASSWORD }, cookies: { device } });

async function countOf(table: string, { id }: TestAccount): Promise<number> {
  const rows = await app.db.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [id]);
  return rows.length;
}

test('a login from a known device is in the audit trail and the log', async () => {
  const account = await makeAccount(app, 'recorded');
  lines.length = 0;
  expect((await logIn(account)).status).toBe(200);
  const [event] = await app.db.query<{ id: string }>(
    `SELECT id, kind, session_id AS "sessionId", ip_address AS "ipAddress", device,
            request_id AS "requestId", data
     FROM audit_events WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
    [account.id],
  );
  const { id: auditId, ...stored } = event ?? { id: '' };
  const line: unknown = JSON.parse(lines.find((one) => one.includes(auditId)) ?? '{}');
  expect(stored).toMatchObject({ kind: 'login.succeeded', data: { newDevice: false } });
  const { kind, ...told } = { kind: '', ...stored };
  expect(line).toMatchObject({ auditId, securityEvent: kind, accountId: account.id, ...told });
});

test('security 17: returns 401 when the password changes during the login', async () => {
  const account = await makeAccount(app, 'overtaken');
  const { answer } = await app.db.transaction(async (tx) => {
    await lockLoginAccount(tx, account.id);
    const asked = logIn(account);
    await untilBlocked(app.db);
    await tx.query(`UPDATE accounts SET password_hash = 'another' WHERE id = $1`, [account.id]);
    return { answer: asked };
  });
  expect((await answer).status).toBe(401);
  expect(await countOf('sessions', account)).toBe(1);
});

test('security 25: sets no cookie for a known device before the second step', async () => {
  const account = await makeAccount(app, 'twofold');
  await addTotp(app, account);
  const before = await countOf('sessions', account);
  const { status, body, cookies } = await logIn(account);
  expect([status, body['mfaRequired'], cookies['refreshToken']]).toEqual([200, true, undefined]);
  expect(await countOf('sessions', account)).toBe(before);
});

describe('the single statement of a known-device login', () => {
  async function prepare(username: string) {
    const made = await makeAccount(app, username);
    const [known] = await app.db.query<Device>(
      `SELECT fingerprint, browser, os, sha256('device') AS "idHash" FROM account_devices
       WHERE account_id = $1`,
      [made.id],
    );
    const account = await lockLoginAccount(app.db, made.id);
    if (account === undefined || known === undefined) throw new Error('account not found');
    const device = { ...known, hasCookie: true, cookie: '' };
    const origin = { ipAddress: '192.0.2.1', requestId: 'test', device: 'test' };
    const insert = (
      changes: { account?: LoginAccount; fingerprint?: Device['fingerprint'] } = {},
    ) =>
      insertKnownDeviceLogin(app.db, {
        account: changes.account ?? account,
        client: {
          device: { ...device, fingerprint: changes.fingerprint ?? device.fingerprint },
          origin,
          replacedToken: undefined,
        },
        passedSecondFactor: false,
        nowMs: Date.now(),
        sessionId: `ses_${username}`,
        refreshToken: newRefreshToken(),
        accessTokenTtlSeconds: 900,
        auditId: `aud_${username}`,
      });
    const counts = () =>
      Promise.all(['sessions', 'audit_events'].map((table) => countOf(table, made)));
    const before = await counts();
    const expectNothing = async () => expect(await counts()).toEqual(before);
    return { made, account, insert, expectNothing };
  }

  test('starts the session', async () => {
    const { made, insert } = await prepare('straight');
    expect(await insert()).toBe(true);
    expect(await countOf('sessions', made)).toBe(2);
  });

  test('changes nothing when the password has changed', async () => {
    const { account, insert, expectNothing } = await prepare('changed');
    expect(await insert({ account: { ...account, passwordHash: 'the old one' } })).toBe(false);
    await expectNothing();
  });

  test('changes nothing when the device has been forgotten', async () => {
    const { insert, expectNothing } = await prepare('forgotten');
    expect(await insert({ fingerprint: Buffer.alloc(32) })).toBe(false);
    await expectNothing();
  });

  test('changes nothing while the account is locked', async () => {
    const { account, insert, expectNothing } = await prepare('locked');
    const happened = await app.db.transaction(async (tx) => {
      await lockLoginAccount(tx, account.id);
      return insert();
    });
    expect(happened).toBe(false);
    await expectNothing();
  });

  test('changes nothing when the account has a passkey', async () => {
    const { account, insert, expectNothing } = await prepare('keyed');
    await app.db.query(
      `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, name)
       VALUES ('psk_test', $1, 'credential', '', 0, '{}', 'Key')`,
      [account.id],
    );
    expect(await insert()).toBe(false);
    await expectNothing();
  });
});
