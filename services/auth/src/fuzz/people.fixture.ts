import { addPasskey, addTotp, type CodeSource } from '../second-factor/second-factor.fixture.ts';
import { INTERNAL_SECRET, makeAccount, PASSWORD, type TestApp, valueOf } from '../test-app.ts';
import type { WireRequest } from './requests.fixture.ts';

/** Whoever makes the requests: their tokens and ids are what placeholders stand for. */
export interface People {
  /** The request as it is to be sent: every `@@name@@` in it has become a value. */
  fill(request: WireRequest): WireRequest;
  /** Replaces whoever has been logged out, locked out or deleted by what was sent. */
  tend(): Promise<void>;
}

type Known = Record<string, string>;

interface Person {
  known: Known;
  codes?: CodeSource;
}

const KINDS = ['plain', 'totp', 'passkey'] as const;

export async function startPeople(app: TestApp): Promise<People> {
  let made = 0;
  const people = await Promise.all(KINDS.map(create));

  async function create(kind: (typeof KINDS)[number]): Promise<Person> {
    made += 1;
    const account = await makeAccount(app, `person${made}`);
    const { id, username, email, accessToken, refreshToken, device } = account;
    const known = { id, username, email, accessToken, refreshToken, device };
    if (kind === 'totp') {
      const { codes, recoveryCodes } = await addTotp(app, account);
      return { known: { ...known, recoveryCode: recoveryCodes[0] ?? '' }, codes };
    }
    return kind === 'passkey'
      ? { known: { ...known, passkeyId: (await addPasskey(app, account)).passkeyId } }
      : { known };
  }

  /** Another session, for requests with its cookies; false when they cannot log in any more. */
  async function logIn({ known, codes }: Person): Promise<boolean> {
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

  function valueFor(name: string, who: number): string {
    switch (name) {
      case 'password':
        return PASSWORD;
      case 'internalSecret':
        return INTERNAL_SECRET;
      case 'otherEmail':
        return people[(who + 1) % people.length]?.known['email'] ?? '';
      case 'newName':
      case 'newEmail':
        made += 1;
        return name === 'newName' ? `newcomer${made}` : `newcomer${made}@example.com`;
      default:
        return people[who]?.known[name] ?? people.find((one) => one.known[name])?.known[name] ?? '';
    }
  }

  /** The newest link of each kind that was sent by mail. */
  function readMails(): void {
    for (const { to, text } of app.mailbox.messages.splice(0)) {
      const person = people.find(({ known }) => to.includes(known['email'] ?? ''));
      const [, path = '', token = ''] = /\/([a-z-]+)\/([\w-]{40,})/.exec(text) ?? [];
      if (person !== undefined) person.known[path] = token;
    }
  }

  return {
    fill(request) {
      const fill = (text: string) =>
        text.replaceAll(/@@([\w-]+)@@/g, (_, name: string) => valueFor(name, request.who));
      const { path, headers, body } = request;
      return {
        ...request,
        path: fill(path),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.map(fill) : fill(value),
          ]),
        ),
        body: typeof body === 'string' ? fill(body) : body,
      };
    },
    async tend() {
      readMails();
      for (const [index, person] of people.entries()) {
        if (!(await logIn(person))) {
          const fresh = await create(KINDS[index] ?? 'plain');
          people[index] = fresh;
          await logIn(fresh);
        }
      }
    },
  };
}
