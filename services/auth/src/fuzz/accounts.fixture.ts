import type { FuzzAccounts } from '@atrium/testkit/fuzz/run';
import { addPasskey, addTotp, type CodeSource } from '../second-factor/second-factor.fixture.ts';
import { INTERNAL_SECRET, makeAccount, PASSWORD, type TestApp, valueOf } from '../test-app.ts';

type Known = Record<string, string>;

interface FuzzAccount {
  known: Known;
  codes?: CodeSource;
}

const KINDS = ['plain', 'totp', 'passkey'] as const;

export async function startFuzzAccounts(app: TestApp): Promise<FuzzAccounts> {
  let created = 0;
  const accounts = await Promise.all(KINDS.map(create));

  async function create(kind: (typeof KINDS)[number]): Promise<FuzzAccount> {
    created += 1;
    const made = await makeAccount(app, `fuzz${created}`);
    const { id, username, email, accessToken, refreshToken, device } = made;
    const known = { id, username, email, accessToken, refreshToken, device };
    if (kind === 'totp') {
      const { codes, recoveryCodes } = await addTotp(app, made);
      return { known: { ...known, recoveryCode: recoveryCodes[0] ?? '' }, codes };
    }
    return kind === 'passkey'
      ? { known: { ...known, passkeyId: (await addPasskey(app, made)).passkeyId } }
      : { known };
  }

  /** Starts a session, for requests with its cookies; false when the login fails. */
  async function logIn({ known, codes }: FuzzAccount): Promise<boolean> {
    const { email, accessToken: token = '' } = known;
    const me = await app.call('GET', '/user/me', { token });
    const answer = await app.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
    if (me.status !== 200 || answer.status !== 200) return false;
    const { mfaToken } = answer.body;
    if (typeof mfaToken === 'string') known['mfaToken'] = mfaToken;
    else known['refreshToken'] = valueOf(answer.cookies['refreshToken']);
    if (codes !== undefined) known['code'] = codes.next();
    const sessions = await app.call('GET', '/user/sessions', { token });
    const [newest] = sessions.body['data'] as { id: string }[];
    known['sessionId'] = newest?.id ?? '';
    return true;
  }

  function valueFor(name: string, accountIndex: number): string {
    switch (name) {
      case 'password':
        return PASSWORD;
      case 'internalSecret':
        return INTERNAL_SECRET;
      case 'otherEmail':
        return accounts[(accountIndex + 1) % accounts.length]?.known['email'] ?? '';
      case 'newName':
      case 'newEmail':
        created += 1;
        return name === 'newName' ? `newcomer${created}` : `newcomer${created}@example.com`;
      default:
        return (
          accounts[accountIndex]?.known[name] ??
          accounts.find((one) => one.known[name])?.known[name] ??
          ''
        );
    }
  }

  /** Keeps the newest token of each kind that was sent by email. */
  function readEmails(): void {
    for (const { to, text } of app.mailbox.messages.splice(0)) {
      const account = accounts.find(({ known }) => to.includes(known['email'] ?? ''));
      const [, path = '', token = ''] = /\/([a-z-]+)\/([\w-]{40,})/.exec(text) ?? [];
      if (account !== undefined) account.known[path] = token;
    }
  }

  return {
    valueFor,
    /** Replaces accounts that a request has logged out, locked out or deleted. */
    async renew() {
      readEmails();
      for (const [index, account] of accounts.entries()) {
        if (!(await logIn(account))) {
          const fresh = await create(KINDS[index] ?? 'plain');
          accounts[index] = fresh;
          await logIn(fresh);
        }
      }
    },
  };
}
