import type { LoginResponse } from '@atrium/contracts/auth';
import type { Static } from 'typebox';
import type { IssueAccessToken } from '../signing-keys/access-token.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { StartedSession } from './start-session.ts';

export interface SessionAnswerDeps {
  issueAccessToken: IssueAccessToken;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  wakeEmailSender: () => void;
  wakeRelay: () => void;
}

/**
 * What every way of logging in does once the transaction that started the session has committed.
 * The cookies are the caller's (`setSessionCookies`).
 *
 * @returns the body of the answer
 */
export async function sessionAnswer(
  deps: SessionAnswerDeps,
  started: StartedSession,
): Promise<Static<typeof LoginResponse>> {
  if (started.isSuspicious) {
    deps.wakeRelay();
    deps.wakeEmailSender();
  }
  if (started.isReplacement) {
    await deps.revokedSessions.sync();
  }
  const { id, name, username, email, avatar, createdAt, plan, emailVerified, erasesAt } =
    started.account;
  const { sessionId, nowMs } = started;
  return {
    accessToken: deps.issueAccessToken({ accountId: id, sessionId, plan, emailVerified }, nowMs),
    user: { id, name, username, email, avatar, createdAt: createdAt.toISOString() },
    ...(erasesAt === null ? {} : { erasesAt: erasesAt.toISOString() }),
  };
}
