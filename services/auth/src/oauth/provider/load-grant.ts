import { IDENTITY_SCOPES } from '@atrium/contracts/auth/scope-names';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../../database.ts';
import { findConsent, recordConsent } from '../grants/store.ts';
import { ourClient } from './client-store.ts';
import { splitScope } from './constants.ts';
import { offlineGrant, sessionGrant } from './grant-store.ts';

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
  return async ({ oidc }: KoaContextWithOIDC) => {
    const { client, session, provider, params } = oidc;
    if (client === undefined || session?.accountId === undefined) return undefined;
    const nowMs = clockMs();
    const { accountId, uid: sessionId } = session;
    const { clientId: applicationId, apiScopes, isFirstParty } = ourClient(client);
    const asked = splitScope(params?.['scope']);
    if (isFirstParty) {
      const possible = new Set<string>([...IDENTITY_SCOPES, ...apiScopes]);
      const scopes = asked.filter((scope) => possible.has(scope));
      await recordConsent(database, { accountId, applicationId, scopes, nowMs });
    }
    const allowed = await findConsent(database, { accountId, applicationId });
    if (allowed === undefined) return undefined;
    const isOffline = asked.includes('offline_access') && allowed.includes('offline_access');
    const scopes = allowed.filter((scope) => isOffline || scope !== 'offline_access');
    const grant = { accountId, applicationId, scopes, nowMs };
    const id = isOffline
      ? await offlineGrant(database, { ...grant, knownId: session.grantIdFor(applicationId) })
      : await sessionGrant(database, { ...grant, sessionId });
    // One name for it everywhere: in ID tokens, logout tokens and access tokens.
    session.sidFor(applicationId, id);
    return provider.Grant.find(id);
  };
}
