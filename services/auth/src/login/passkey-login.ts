import type { AssertionCredential } from '@atrium/contracts/passkeys';
import type { Database } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../audit/entry.ts';
import {
  type SessionWish,
  type StartedSession,
  startSession,
  type StartSessionDeps,
} from '../sessions/start-session.ts';
import { lockById } from '../sessions/store.ts';
import { checkAssertion } from '../second-factor/passkeys/assertion.ts';
import type { RelyingParty } from '../second-factor/passkeys/relying-party.ts';

export interface PasskeyLoginDeps extends StartSessionDeps {
  database: Database;
  relyingParty: RelyingParty;
  clockMs: () => number;
}

/**
 * Logs in with nothing but a passkey. It must have been unlocked by a PIN or biometry, so that it is
 * two factors in one: something one has, and something one knows or is.
 *
 * @throws HttpError 401
 */
export async function logInWithPasskey(
  deps: PasskeyLoginDeps,
  login: {
    credential: AssertionCredential;
    client: Omit<SessionWish, 'account' | 'nowMs'>;
    origin: RequestOrigin;
  },
): Promise<StartedSession> {
  const { credential, client, origin } = login;
  const nowMs = deps.clockMs();
  const assertion = await checkAssertion(deps, credential, {
    use: { purpose: 'login', accountId: null },
    requireUserVerification: true,
    nowMs,
  });
  const started =
    assertion.kind === 'verified'
      ? await deps.database.transaction(async (tx) => {
          const { accountId, use } = assertion;
          const account = await lockById(tx, accountId);
          return account !== undefined && (await use(tx))
            ? startSession(deps, tx, { ...client, account, nowMs })
            : null;
        })
      : null;
  if (started === null) {
    await deps.recordAudit(deps.database, {
      kind: 'login.failed',
      accountId: assertion.accountId,
      origin,
      data: {
        factor: 'passkey',
        reason: assertion.kind === 'refused' ? assertion.reason : 'Passkey was used or is gone',
      },
      nowMs,
    });
    throw unauthorized('Passkey was not accepted');
  }
  return started;
}
