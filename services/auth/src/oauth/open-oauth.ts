import { createAddressGuard } from '@atrium/service-kit/address-guard';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Logger } from '@atrium/service-kit/logger';
import { createResolver } from '@atrium/service-kit/resolver';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import Provider from 'oidc-provider';
import { createAuditLog } from '../audit/record.ts';
import type { Database } from '../database.ts';
import { revokeSessions } from '../sessions/store.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import { createGuardedFetch } from './logouts/guarded-fetch.ts';
import { deleteGrant } from './provider/grant-store.ts';
import { originOfContext } from './provider/request-origin.ts';
import { createOauthProvider, type OauthProvider } from './provider/provider.ts';

interface OauthDeps {
  database: Database;
  keyRing: KeyRing;
  signingKeys: SigningKeys;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  authUrl: string;
  webUrl: string;
  accessTokenTtlSeconds: number;
  isLimited: boolean;
  /** Private networks that applications may be told of logouts in. */
  allowedNetworks: readonly string[];
  logger: Logger;
  clockMs: () => number;
}

/** The OpenID Connect provider on the database of the service. */
export function openOauth(deps: OauthDeps): OauthProvider {
  const { database, revokedSessions, logger, clockMs } = deps;
  const audit = createAuditLog({ logger, clockMs });

  return createOauthProvider({
    ...deps,
    issuer: deps.authUrl.replace(/\/$/, ''),
    webUrl: deps.webUrl.replace(/\/$/, ''),
    fetch: createGuardedFetch(createAddressGuard(deps.allowedNetworks), createResolver()),
    async endGrant(id) {
      const ended = await deleteGrant(database, id);
      // At the token endpoint a grant ends only because a code or a refresh token came twice.
      if (ended !== null && Provider.ctx?.oidc.route === 'token') {
        const { accountId, application } = ended;
        const data = { name: application.name };
        const origin = originOfContext(Provider.ctx);
        await audit.record(database, { kind: 'application.replayed', accountId, origin, data });
      }
      await revokedSessions.sync();
    },
    async logOut(ctx, sessionId) {
      const accountId = ctx.oidc.session?.accountId;
      if (accountId === undefined) return;
      const choice = { sessionId, accountId };
      const [revoked] = await revokeSessions(database, choice, clockMs());
      if (revoked !== undefined) {
        const origin = originOfContext(ctx);
        await audit.record(database, { kind: 'logout', ...revoked, origin });
      }
      await revokedSessions.sync();
    },
  });
}
