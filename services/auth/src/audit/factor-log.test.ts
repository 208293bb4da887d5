import { AUDIT_KINDS } from '@atrium/contracts/auth/audit';
import { afterAll, expect, test } from 'vitest';
import { addTotp, passFirstStep, takeSecondStep } from '../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD, signIn, startTestApp } from '../test-app.ts';

const lines: string[] = [];
const app = await startTestApp({}, { log: { write: (line) => void lines.push(line) } });
afterAll(() => app[Symbol.asyncDispose]());

test('security 30: the log contains the events of factors and accounts, and no secret', async () => {
  const plain = await makeAccount(app, 'factored');
  const { email, accessToken: token } = plain;
  const verifyToken = await app.emailToken(email, 'verify-email');
  await app.call('POST', `/auth/verify-email/${verifyToken}`, { token });
  const account = await addTotp(app, plain);
  const { codes } = account;
  const [first = '', second = ''] = account.recoveryCodes;
  const secrets = [PASSWORD, verifyToken, ...account.recoveryCodes];
  const proof = () => {
    const code = codes.next();
    // Quoted, because six digits alone also occur in timestamps.
    secrets.push(`"${code}"`);
    return { password: PASSWORD, code };
  };
  const post = async (url: string, body: object) => {
    const { status } = await app.call('POST', url, { token, body });
    expect([url, status]).toEqual([url, 200]);
  };

  const mfaToken = await passFirstStep(app, account);
  secrets.push(mfaToken);
  await takeSecondStep(app, mfaToken, { code: codes.wrong() });
  await takeSecondStep(app, mfaToken, { recoveryCode: first });
  const { code } = proof();
  await takeSecondStep(app, await passFirstStep(app, account), { code });
  await post('/user/second-factor/recovery-codes', proof());
  const spent = await takeSecondStep(app, await passFirstStep(app, account), {
    recoveryCode: second,
  });
  expect(spent.status).toBe(401);
  await post('/user/second-factor/totp/remove', proof());

  const again = await signIn(app, account);
  secrets.push(again.accessToken, again.refreshToken);
  const owner = { token: again.accessToken };
  expect((await app.call('POST', '/user/export', owner)).status).toBe(202);
  const removal = { ...owner, body: { password: PASSWORD } };
  expect((await app.call('DELETE', '/user/me', removal)).status).toBe(202);
  const returned = await signIn(app, account);
  const restored = await app.call('POST', '/user/me/restore', { token: returned.accessToken });
  expect(restored.status).toBe(200);

  const logged = lines.flatMap((line) => {
    const { msg, securityEvent, accountId } = JSON.parse(line);
    return msg === 'security event' && accountId === account.id ? [String(securityEvent)] : [];
  });
  const expected = AUDIT_KINDS.filter((kind) =>
    /^(factor\.|recovery_|login\.second|account\.(deletion|export))/.test(kind),
  );
  expect(expected.filter((kind) => !logged.includes(kind))).toEqual([]);
  const text = lines.join('\n');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
