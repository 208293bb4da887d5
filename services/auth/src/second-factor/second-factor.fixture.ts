import type { MfaOptions } from '@atrium/contracts/auth/mfa';
import { untilBlocked } from '@atrium/testkit/locks';
import { startAuthenticator, type Authenticator } from './passkeys/authenticator.fixture.ts';
import {
  type Answer,
  type Call,
  makeAccount,
  PASSWORD,
  type TestAccount,
  type TestApp,
} from '../test-app.ts';
import { codeAt, stepAt } from './totp/code.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An authenticator app. Each code is of a step that was not used before: the clock moves on. */
export interface CodeSource {
  next(): string;
  /** A code that is wrong now and in the steps around. */
  wrong(): string;
}

export function startCodes(app: TestApp, base32: string): CodeSource {
  const bits = Array.from(base32, (one) => BASE32.indexOf(one).toString(2).padStart(5, '0')).join(
    '',
  );
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const secret = Buffer.from(bytes);
  const step = () => stepAt(Date.now() + app.clock.advanceMs);
  return {
    next() {
      app.clock.advanceMs += 30_000;
      return codeAt(secret, step());
    },
    wrong() {
      const now = step();
      const right = new Set([-2, -1, 0, 1, 2].map((offset) => codeAt(secret, now + offset)));
      const codes = ['000000', '111111', '222222', '333333', '444444', '555555'];
      return codes.find((code) => !right.has(code)) ?? '';
    },
  };
}

export interface TotpAccount extends TestAccount {
  codes: CodeSource;
  recoveryCodes: string[];
}

/** What the link in the mail does: a second factor wants a verified address. */
export async function verifyAddress(app: TestApp, { id }: TestAccount): Promise<void> {
  await app.db.query(
    'UPDATE accounts SET email_verified_at = now() WHERE id = $1 AND email_verified_at IS NULL',
    [id],
  );
}

/** An account that may add a second factor. */
export async function makeVerified(app: TestApp, username: string): Promise<TestAccount> {
  const account = await makeAccount(app, username);
  await verifyAddress(app, account);
  return account;
}

/** Sets an authenticator app up. */
export async function addTotp(app: TestApp, account: TestAccount): Promise<TotpAccount> {
  await verifyAddress(app, account);
  const token = account.accessToken;
  const body = { password: PASSWORD };
  const setup = await app.call('POST', '/user/second-factor/totp', { token, body });
  const codes = startCodes(app, String(setup.body['secret']));
  const confirmed = await app.call('POST', '/user/second-factor/totp/confirm', {
    token,
    body: { code: codes.next() },
  });
  if (confirmed.status !== 200) {
    throw new Error(`TOTP was refused: ${JSON.stringify([setup.body, confirmed.body])}`);
  }
  return { ...account, codes, recoveryCodes: confirmed.body['recoveryCodes'] as string[] };
}

/** Adds a passkey. */
export async function addPasskey(
  app: TestApp,
  account: TestAccount,
  proof: object = {},
): Promise<{ authenticator: Authenticator; passkeyId: string; recoveryCodes: string[] | null }> {
  await verifyAddress(app, account);
  const token = account.accessToken;
  const authenticator = startAuthenticator();
  const options = await app.call('POST', '/user/passkeys/options', {
    token,
    body: { password: PASSWORD, ...proof },
  });
  const credential = authenticator.create(options.body);
  const added = await app.call('POST', '/user/passkeys', {
    token,
    body: { name: 'Laptop', credential },
  });
  if (added.status !== 201) {
    throw new Error(`The passkey was refused: ${JSON.stringify([options.body, added.body])}`);
  }
  const { passkey, recoveryCodes } = added.body as {
    passkey: { id: string };
    recoveryCodes: string[] | null;
  };
  return { authenticator, passkeyId: passkey.id, recoveryCodes };
}

/** Gives the password and keeps the token for the second step. */
export async function passFirstStep(
  app: TestApp,
  { email }: { email: string },
  password = PASSWORD,
): Promise<string> {
  const answer = await app.call('POST', '/auth/login', { body: { email, password } });
  const { mfaToken } = answer.body;
  if (answer.status !== 200 || typeof mfaToken !== 'string') {
    throw new Error(`No second step was asked for: ${JSON.stringify(answer.body)}`);
  }
  return mfaToken;
}

export function takeSecondStep(
  app: TestApp,
  mfaToken: string,
  step: object,
  call: Call = {},
): Promise<Answer> {
  return app.call('POST', '/auth/mfa', { ...call, body: { mfaToken, ...step } });
}

/** What a passkey is asked to sign for the second step. */
export async function passkeyOptions(
  app: TestApp,
  mfaToken: string,
): Promise<Record<string, unknown>> {
  const answer = await app.call('POST', '/auth/mfa/options', { body: { mfaToken } });
  const { passkey } = answer.body as MfaOptions;
  return { ...passkey };
}

/** Postgres ends the connection while the request waits for its account. */
export function interrupt(
  { db }: TestApp,
  { id }: TestAccount,
  request: () => Promise<Answer>,
): Promise<Answer> {
  return db.transaction({ job: 'test' }, async (tx) => {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [id]);
    const answer = request();
    await untilBlocked(db);
    await db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return answer;
  });
}
