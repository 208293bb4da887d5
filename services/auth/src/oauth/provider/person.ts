import { REFRESH_COOKIE } from '@atrium/contracts/auth/accounts';
import type { Sql } from '@atrium/service-kit/database';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isRefreshToken } from '../../sessions/refresh-token.ts';
import { tokenHash } from '../../token-hash.ts';
import { acrOf } from './constants.ts';

/** The person who is logged in to a browser, and since when. */
export interface Person {
  accountId: string;
  sessionId: string;
  loggedInAt: Date;
  passedSecondFactor: boolean;
}

/** As long as an old refresh token still gets the newest one: another tab may just have refreshed. */
const GRACE_MS = 20_000;

const FIND = `
  SELECT s.id AS "sessionId", s.account_id AS "accountId", s.created_at AS "loggedInAt",
    s.passed_second_factor AS "passedSecondFactor"
  FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN accounts a ON a.id = s.account_id
  WHERE t.hash = $1 AND coalesce(t.rotated_at > $3, true) AND least(t.expires_at, s.expires_at) > $2
    AND s.revoked_at IS NULL AND a.suspended_at IS NULL AND a.deletion_due_at IS NULL`;

/** The person who has the refresh token of this cookie. It is only read: the token stays as it is. */
export async function findPerson(
  sql: Sql,
  token: string | undefined,
  nowMs: number,
): Promise<Person | undefined> {
  if (!isRefreshToken(token)) return undefined;
  const values = [tokenHash(token), new Date(nowMs), new Date(nowMs - GRACE_MS)];
  const [person] = await sql.query<Person>(FIND, values);
  return person;
}

/**
 * Makes the provider use the session of the person who is logged in to Atrium instead of its own cookie, which
 * only serves visitors without a login.
 */
export function followOurSessions(
  provider: Provider,
  find: (token: string | undefined) => Promise<Person | undefined>,
): void {
  const { Session } = provider;
  const findByCookie = Session.get.bind(Session);
  Session.get = async (ctx: KoaContextWithOIDC) => {
    const person = await find(ctx.cookies.get(REFRESH_COOKIE, { signed: false }));
    const session = await (person === undefined ? anonymous(ctx) : sessionOf(person));
    ctx.oidc.entity('Session', session);
    return session;
  };

  async function anonymous(ctx: KoaContextWithOIDC) {
    const session = await findByCookie(ctx);
    return session.accountId === undefined ? session : new Session();
  }

  async function sessionOf(person: Person) {
    const { accountId, sessionId: uid, loggedInAt, passedSecondFactor } = person;
    const session =
      (await Session.findByUid(uid)) ?? Object.assign(new Session(), { uid, touched: true });
    session.loginAccount({
      accountId,
      loginTs: Math.floor(loggedInAt.getTime() / 1000),
      acr: acrOf(passedSecondFactor),
    });
    return session;
  }
}
