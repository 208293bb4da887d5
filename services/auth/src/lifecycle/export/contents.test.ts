import { afterAll, expect, test } from 'vitest';
import { makeApplication } from '../../oauth/oauth.fixture.ts';
import { addTotp, makeVerified } from '../../second-factor/second-factor.fixture.ts';
import { PASSWORD, startTestApp } from '../../test-app.ts';
import { accountCollections } from '../account-messages/store.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

async function read(accountId: string): Promise<Record<string, object[]>> {
  const collections: Record<string, object[]> = {};
  for (const [name, pages] of accountCollections(app.db, accountId)) {
    const records: object[] = [];
    for await (const page of pages) records.push(...page);
    collections[name] = records;
  }
  return collections;
}

test('an export has what logs in beside the password, without secrets', async () => {
  const ada = await makeVerified(app, 'ada');
  const { id: applicationId } = await makeApplication(app, ada.accessToken);
  const personal = await app.call('POST', '/user/tokens', {
    token: ada.accessToken,
    body: { name: 'Backup', scopes: ['notes:read'], expiresInDays: 1, password: PASSWORD },
  });
  await app.db.query(
    `INSERT INTO oauth_grants
       (id, account_id, application_id, device_name, scopes, created_at, access_expires_at, expires_at)
     VALUES ('grt_1', $1, $2, 'Kitchen screen', '{account:read}', now(), now(), now())`,
    [ada.id, applicationId],
  );
  await addTotp(app, ada);
  await app.db.query(`UPDATE accounts SET deletion_due_at = '2030-01-01Z' WHERE id = $1`, [ada.id]);
  const exported = await read(ada.id);
  expect(exported).toMatchObject({
    account: [{ suspendedAt: null, deletionDueAt: new Date('2030-01-01') }],
    personalTokens: [{ name: 'Backup', scopes: ['notes:read'], lastUsedAt: null }],
    applicationLogins: [
      {
        application: { id: applicationId, name: 'Reading list' },
        deviceName: 'Kitchen screen',
        scopes: ['account:read'],
        createdAt: expect.any(Date),
        expiresAt: expect.any(Date),
      },
    ],
    authenticatorApps: [{ createdAt: expect.any(Date), confirmedAt: expect.any(Date) }],
  });
  const text = JSON.stringify(exported);
  expect(text).not.toContain(String(personal.body['token']));
  expect(text).not.toMatch(/hash|secret/i);
});
