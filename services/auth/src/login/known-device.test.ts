import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, expect, test } from 'vitest';
import { addTotp } from '../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, startTestApp, type TestAccount } from '../test-app.ts';
import { lockLoginAccount } from '../accounts/login-account-store.ts';

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
  const { answer } = await app.db.transaction({ job: 'test' }, async (tx) => {
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
