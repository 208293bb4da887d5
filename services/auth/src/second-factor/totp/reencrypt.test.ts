import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { afterAll, expect, test } from 'vitest';
import { addTotp, passFirstStep, takeSecondStep } from '../second-factor.fixture.ts';
import { makeAccount, startTestApp } from '../../test-app.ts';
import { reencryptTotp } from './reencrypt.ts';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const LOST = `lost:${Buffer.alloc(32, 3).toString('base64')}`;

const app = await startTestApp({ SECRETS_KEYS: `${OLD},${NEW}` });
afterAll(() => app[Symbol.asyncDispose]());

const sealedWith = async () => {
  const rows = await app.db.query<{ secret: string }>('SELECT secret FROM totp_factors');
  return rows.map(({ secret }) => secret.slice(0, secret.indexOf('.')));
};

test('encrypts secrets with the new key, and codes still work', async () => {
  const account = await addTotp(app, await makeAccount(app, 'rekeyed'));
  const { db: database } = app;
  expect(await sealedWith()).toEqual(['old']);
  const keyRing = parseKeyRing([NEW, OLD]);
  const done = { reencrypted: 1, unopened: 0, isComplete: true };
  expect(await reencryptTotp({ database, keyRing })).toEqual(done);
  expect(await sealedWith()).toEqual(['new']);
  expect(await reencryptTotp({ database, keyRing })).toEqual({ ...done, reencrypted: 0 });

  const code = account.codes.next();
  const answer = await takeSecondStep(app, await passFirstStep(app, account), { code });
  expect(answer.status).toBe(200);
});

test('counts and keeps secrets that no key decrypts', async () => {
  const keyRing = parseKeyRing([LOST]);
  const outcome = await reencryptTotp({ database: app.db, keyRing });
  expect(outcome).toEqual({ reencrypted: 0, unopened: 1, isComplete: true });
  expect(await sealedWith()).toEqual(['new']);
});

test('reports an aborted run as incomplete', async () => {
  const keyRing = parseKeyRing([OLD, NEW]);
  const outcome = await reencryptTotp({ database: app.db, keyRing }, AbortSignal.abort());
  expect(outcome.isComplete).toBe(false);
  expect(await sealedWith()).toEqual(['new']);
});
