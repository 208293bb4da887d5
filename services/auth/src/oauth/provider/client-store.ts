import { randomBytes } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../../database.ts';
import { KEEPS_SECRETS } from '../applications/secrets.ts';
import { DEVICE_GRANT } from './constants.ts';

/** What the provider must see where it knows a secret. Ours are hashes, which `compareClientSecret` compares. */
const NO_SECRET = randomBytes(32).toString('base64url');

/** Applications as the provider sees them; those of suspended owners do not exist. */
export function createClients(database: Database): Adapter {
  const refused = () => Promise.reject(new Error('Applications are changed by their routes'));
  return {
    async find(id): Promise<AdapterPayload | undefined> {
      const row = await database.prisma.application.findUnique({
        where: {
          id,
          OR: [{ accountId: null }, { account: { suspendedAt: null, deletionDueAt: null } }],
        },
        include: { secrets: { select: { hash: true } } },
      });
      if (row === null) return undefined;
      const comesBack = row.redirectUrls.length > 0;
      return {
        client_id: row.id,
        client_name: row.name,
        application_type: row.kind === 'native' ? 'native' : 'web',
        grant_types: grantTypesOf(row),
        response_types: comesBack ? ['code'] : [],
        redirect_uris: row.redirectUrls,
        post_logout_redirect_uris: row.postLogoutUrls,
        id_token_signed_response_alg: row.idTokenAlgorithm === 'EdDSA' ? 'EdDSA' : 'RS256',
        ...(KEEPS_SECRETS.has(row.kind)
          ? { token_endpoint_auth_method: 'client_secret_basic', client_secret: NO_SECRET }
          : { token_endpoint_auth_method: 'none' }),
        ...(row.backchannelLogoutUrl === null
          ? {}
          : {
              backchannel_logout_uri: row.backchannelLogoutUrl,
              backchannel_logout_session_required: true,
            }),
        account_id: row.accountId,
        api_scopes: row.scopes,
        is_first_party: row.isFirstParty,
        secret_hashes: row.secrets.map(({ hash }) => Buffer.from(hash).toString('base64url')),
      };
    },
    upsert: refused,
    destroy: refused,
    consume: refused,
    findByUid: refused,
    findByUserCode: refused,
    revokeByGrantId: refused,
  };
}

function grantTypesOf({ kind, redirectUrls }: { kind: string; redirectUrls: string[] }): string[] {
  if (kind === 'machine') return ['client_credentials'];
  return [
    'refresh_token',
    ...(redirectUrls.length === 0 ? [] : ['authorization_code']),
    ...(kind === 'native' ? [DEVICE_GRANT] : []),
  ];
}

/** What a client has beside the metadata that the provider knows. */
export const EXTRA_METADATA = ['account_id', 'api_scopes', 'is_first_party', 'secret_hashes'];

/** The parts of a client that are ours. */
export interface OurClient {
  clientId: string;
  accountId: string;
  apiScopes: string[];
  isFirstParty: boolean;
}

/** @param client of the provider, made by `createClients` */
export function ourClient(client: { clientId: string; [name: string]: unknown }): OurClient {
  const { clientId, account_id: accountId, api_scopes: scopes, is_first_party: first } = client;
  return {
    clientId,
    accountId: String(accountId),
    apiScopes: Array.isArray(scopes) ? scopes.map(String) : [],
    isFirstParty: first === true,
  };
}

export function secretHashes(client: { [name: string]: unknown }): Buffer[] {
  const { secret_hashes: hashes } = client;
  return Array.isArray(hashes) ? hashes.map((each) => Buffer.from(String(each), 'base64url')) : [];
}
