import type { AssertionCredential } from '@atrium/contracts/auth/passkeys';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Database } from '../database.ts';
import type { AuditLog } from '../audit/record.ts';
import { checkAssertion } from '../second-factor/passkeys/assertion.ts';
import type { RelyingParty } from '../second-factor/passkeys/relying-party.ts';
import type { Client } from '../sessions/client.ts';
import type { StartedSession } from '../sessions/start-session.ts';
import type { Logins } from './logins.ts';

export interface PasskeyLoginDeps {
  database: Database;
  relyingParty: RelyingParty;
  audit: AuditLog;
  logins: Logins;
  clockMs: () => number;
}

/**
 * Logs in with a passkey alone. A PIN or biometry must have unlocked it, which makes it two factors in
 * one.
 *
 * @throws HttpError 401
 */
export async function logInWithPasskey(
  deps: PasskeyLoginDeps,
  { credential, client }: { credential: AssertionCredential; client: Client },
): Promise<StartedSession> {
  const nowMs = deps.clockMs();
  const assertion = await checkAssertion(deps, credential, {
    use: { purpose: 'login', accountId: null },
    requireUserVerification: true,
    nowMs,
  });
  const { accountId } = assertion;
  const started =
    assertion.kind === 'refused'
      ? 'refused'
      : await deps.logins.complete<never>({
          accountId: assertion.accountId,
          client,
          nowMs,
          passedSecondFactor: true,
          prove: async (tx) => ((await assertion.consume(tx)) ? 'proved' : 'refused'),
        });
  if (started !== 'refused') {
    return started;
  }
  const reason = assertion.kind === 'refused' ? assertion.reason : 'Passkey was used or is gone';
  const data = { factor: 'passkey', reason };
  const { origin } = client;
  await deps.audit.record(deps.database, { kind: 'login.failed', accountId, origin, data });
  throw new HttpError('passkey-refused');
}
