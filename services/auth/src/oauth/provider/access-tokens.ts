import { IDENTITY_SCOPES } from '@atrium/contracts/auth/scope-names';
import {
  type AccessTokenClaims,
  Plan,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from '@atrium/contracts/auth/tokens';
import type {
  AccessToken,
  ClientCredentials,
  JWTStructured,
  KoaContextWithOIDC,
} from 'oidc-provider';
import { errors } from 'oidc-provider';
import { Value } from 'typebox/value';
import type { Database } from '../../database.ts';
import { ourClient } from './client-store.ts';
import { splitScope } from './constants.ts';
import { machineGrant } from './grant-store.ts';

const RECENTLY_MS = 300_000;
const IDENTITY: ReadonlySet<string> = new Set(IDENTITY_SCOPES);

/** Raw: one statement, which the end of the grant either precedes or waits for, as for personal access tokens. */
const USE = `
  WITH used AS (
    UPDATE oauth_grants g SET access_expires_at = greatest(access_expires_at, $3)
    FROM accounts a
    WHERE g.id = $1 AND g.expires_at > $2 AND a.id = g.account_id
      AND a.suspended_at IS NULL AND a.deletion_due_at IS NULL
    RETURNING a.id, g.application_id, a.plan, a.email_verified_at IS NOT NULL AS "emailVerified"
  ), seen AS (
    UPDATE oauth_consents c SET last_used_at = $2 FROM used
    WHERE c.account_id = used.id AND c.application_id = used.application_id AND c.last_used_at < $4
  )
  SELECT id AS "accountId", plan, "emailVerified" FROM used`;

interface UsedRow {
  accountId: string;
  plan: string;
  emailVerified: boolean;
}

/**
 * Gives access tokens for our services the claims of those of our sessions, so that every service verifies them the
 * same way. A machine acts for the owner of its application.
 */
export function createAccessTokenClaims(deps: {
  database: Database;
  accessTokenTtlSeconds: number;
  clockMs: () => number;
}) {
  const { database, clockMs } = deps;
  return async (
    { oidc }: KoaContextWithOIDC,
    token: AccessToken | ClientCredentials,
    jwt: JWTStructured,
  ): Promise<void> => {
    const { client } = oidc;
    if (client === undefined) throw new TypeError('An access token needs its client');
    if (!token.scope)
      throw new errors.InvalidScope('none of the scopes can be granted', token.scope ?? '');
    if (token.jkt !== undefined) {
      throw new errors.InvalidRequest('access tokens for these services are not bound by DPoP');
    }
    const nowMs = clockMs();
    const { accountId, clientId: applicationId } = ourClient(client);
    const grantId =
      'grantId' in token && token.grantId !== undefined
        ? token.grantId
        : await machineGrant(database, { accountId, applicationId, nowMs });
    const expiresAt = new Date(nowMs + deps.accessTokenTtlSeconds * 1000);
    const recently = new Date(nowMs - RECENTLY_MS);
    const values = [grantId, new Date(nowMs), expiresAt, recently];
    const [used] = await database.query<UsedRow>(USE, values);
    if (used === undefined) throw new errors.InvalidGrant('the grant has ended');
    const { jti, iat, exp } = jwt.payload;
    const claims: AccessTokenClaims = {
      iss: TOKEN_ISSUER,
      aud: TOKEN_AUDIENCE,
      sub: used.accountId,
      sid: grantId,
      plan: Value.Parse(Plan, used.plan),
      ev: used.emailVerified,
      scope: token.scope,
      iat: Number(iat),
      exp: Number(exp),
    };
    jwt.payload = { ...claims, jti, client_id: applicationId, identity_scope: identityScope(oidc) };
  };
}

/** What userinfo answers to the token: no more than the login, or a refresh with a `scope`, has asked for. */
function identityScope({ entities, params }: KoaContextWithOIDC['oidc']): string {
  const login = entities.AuthorizationCode ?? entities.DeviceCode ?? entities.RefreshToken;
  const asked = splitScope(params?.['scope'] ?? login?.scope);
  return asked.filter((scope) => IDENTITY.has(scope)).join(' ');
}
