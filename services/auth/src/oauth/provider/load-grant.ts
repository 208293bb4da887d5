import { IDENTITY_SCOPES } from '@atrium/contracts/auth/scope-names';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { lockBySession } from '../../accounts/store.ts';
import type { Database } from '../../database.ts';
import { findConsent, recordConsent } from '../grants/store.ts';
import { ourClient } from './client-store.ts';
import { splitScope } from './constants.ts';
import { offlineGrant, sessionGrant } from './grant-store.ts';
import { originOfContext } from './request-origin.ts';

const JOB = 'oauth-grant';

/**
 * The grant of a login, from what the person has allowed the application; undefined when that is nothing. Each
 * session has its own, so that its tokens end with it; one with `offline_access` ends with no session.
 */
export function createGrantLoader({
  database,
  clockMs,
}: {
  database: Database;
  clockMs: () => number;
}) {
  return async (ctx: KoaContextWithOIDC) => {
    const { client, session, provider, params } = ctx.oidc;
    if (client === undefined || session?.accountId === undefined) return undefined;
    const nowMs = clockMs();
    const { accountId, uid: sessionId } = session;
    const { clientId: applicationId, apiScopes, isFirstParty } = ourClient(client);
    const asked = splitScope(params?.['scope']);
    // A revocation of the account's sessions holds this lock too, so it ends the grant or prevents it.
    const id = await database.transaction(originOfContext(ctx) ?? { job: JOB }, async (tx) => {
      if ((await lockBySession(tx, { accountId, sessionId })) === undefined) return undefined;
      if (isFirstParty) {
        const possible = new Set<string>([...IDENTITY_SCOPES, ...apiScopes]);
        const scopes = asked.filter((scope) => possible.has(scope));
        await recordConsent(tx, { accountId, applicationId, scopes, nowMs });
      }
      const allowed = await findConsent(tx, { accountId, applicationId });
      if (allowed === undefined) return undefined;
      const isOffline = asked.includes('offline_access') && allowed.includes('offline_access');
      const scopes = allowed.filter((scope) => isOffline || scope !== 'offline_access');
      const grant = { accountId, applicationId, scopes, nowMs };
      return isOffline
        ? offlineGrant(tx, { ...grant, knownId: session.grantIdFor(applicationId) })
        : sessionGrant(tx, { ...grant, sessionId });
    });
    if (id === undefined) return undefined;
    // One name for it everywhere: in ID tokens, logout tokens and access tokens.
    session.sidFor(applicationId, id);
    return provider.Grant.find(id);
  };
}
