import type { LoginResponse } from '@atrium/contracts/auth';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { avatarAddress } from '../accounts/avatar/store.ts';
import type { IssueAccessToken } from '../signing-keys/access-token.ts';
import { setDeviceCookie, setRefreshCookie } from './client.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { HasOperatorRole } from './operator-role.ts';
import type { StartedSession } from './start-session.ts';

export interface SessionResponseDeps {
  /** The public address of this service. */
  authUrl: string;
  issueAccessToken: IssueAccessToken;
  hasOperatorRole: HasOperatorRole;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  wakeEmailSender: () => void;
  wakeRelay: () => void;
}

/** The answer of every login, once the transaction that started the session has committed. */
export async function respondWithSession(
  deps: SessionResponseDeps,
  reply: FastifyReply,
  started: StartedSession,
): Promise<Static<typeof LoginResponse>> {
  const { account, sessionId, refreshToken, device, nowMs } = started;
  if (started.isUnknownDevice) {
    deps.wakeRelay();
    deps.wakeEmailSender();
  }
  if (started.replacedSession) {
    await deps.revokedSessions.sync();
  }
  setRefreshCookie(reply, refreshToken);
  setDeviceCookie(reply, device.cookie);
  reply.header('cache-control', 'no-store');
  const { id, name, username, email, createdAt, plan, emailVerified, erasesAt } = account;
  const avatar = avatarAddress(account.avatar, deps.authUrl);
  const isOperator = await deps.hasOperatorRole({ email, sessionId });
  const subject = { accountId: id, sessionId, plan, emailVerified, isOperator };
  return {
    accessToken: deps.issueAccessToken(subject, nowMs),
    user: { id, name, username, email, avatar, createdAt: createdAt.toISOString() },
    ...(erasesAt === null ? {} : { erasesAt: erasesAt.toISOString() }),
  };
}
