import type { LoginResponse } from '@atrium/contracts/auth/accounts';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { avatarUrl } from '../accounts/avatar/store.ts';
import type { IssueAccessToken } from '../signing-keys/access-token.ts';
import { setDeviceCookie, setRefreshCookie } from './client.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { StartedSession } from './start-session.ts';

/** The answer of every login, once the transaction that started the session has committed. */
export type RespondWithSession = (
  reply: FastifyReply,
  started: StartedSession,
) => Promise<Static<typeof LoginResponse>>;

/** @param deps.authUrl the public URL of this service */
export function createSessionResponse(deps: {
  authUrl: string;
  issueAccessToken: IssueAccessToken;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
}): RespondWithSession {
  return async (reply, { account, sessionId, refreshToken, device, nowMs, replacedSession }) => {
    if (replacedSession) {
      await deps.revokedSessions.sync();
    }
    setRefreshCookie(reply, refreshToken);
    setDeviceCookie(reply, device.cookie);
    reply.header('cache-control', 'no-store');
    const { id, name, username, email, createdAt, plan, emailVerified, erasesAt } = account;
    const avatar = avatarUrl(account.avatar, deps.authUrl);
    const subject = { accountId: id, email, sessionId, plan, emailVerified };
    return {
      accessToken: await deps.issueAccessToken(subject, nowMs),
      user: { id, name, username, email, avatar, createdAt: createdAt.toISOString() },
      ...(erasesAt === null ? {} : { erasesAt: erasesAt.toISOString() }),
    };
  };
}
