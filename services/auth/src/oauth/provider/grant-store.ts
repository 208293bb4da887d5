import { SCOPES } from '@atrium/contracts/auth/scope-names';
import { newId } from '@atrium/contracts/ids';
import type { Adapter } from 'oidc-provider';
import type { Database, Queries } from '../../database.ts';
import { API_RESOURCE, isApiScope } from './constants.ts';

/** The longest that an application may act for a person who does not log in again. */
const OFFLINE_MS = 365 * 86_400_000;

/** Devices that an account can have logged in to one application, and as many other logins that end with no session. */
const OFFLINE_MAX = 50;

interface NewGrant {
  accountId: string;
  applicationId: string;
  scopes: readonly string[];
  nowMs: number;
}

const rowOf = ({ nowMs, scopes, ...rest }: NewGrant) => ({
  id: newId('gnt', nowMs),
  ...rest,
  scopes: [...scopes],
  createdAt: new Date(nowMs),
  accessExpiresAt: new Date(nowMs),
  expiresAt: new Date(nowMs + OFFLINE_MS),
});

/** The one of a session, also of parallel requests. It ends with the session. @returns its id */
export async function sessionGrant(
  queries: Queries,
  { sessionId, ...grant }: NewGrant & { sessionId: string },
): Promise<string> {
  const { applicationId } = grant;
  const { id } = await queries.prisma.oauthGrant.upsert({
    where: { sessionId_applicationId: { sessionId, applicationId } },
    create: { ...rowOf(grant), sessionId },
    update: { scopes: [...grant.scopes] },
    select: { id: true },
  });
  return id;
}

/**
 * Returns the grant that this session knows. Otherwise it creates one and ends those beyond `OFFLINE_MAX` that were
 * used longest ago. @returns its id
 */
export async function offlineGrant(
  queries: Queries,
  { knownId, ...grant }: NewGrant & { knownId: string | undefined },
): Promise<string> {
  const { scopes, accountId } = grant;
  const { count } = await queries.prisma.oauthGrant.updateMany({
    where: { id: knownId ?? '', accountId, sessionId: null },
    data: { scopes: [...scopes] },
  });
  if (count === 1 && knownId !== undefined) return knownId;
  await endExcessGrants(queries, { ...grant, isDevice: false });
  return insertGrant(queries, grant);
}

async function insertGrant(
  queries: Queries,
  { deviceName, ...grant }: NewGrant & { deviceName?: string },
): Promise<string> {
  const data = { ...rowOf(grant), deviceName: deviceName ?? null };
  await queries.prisma.oauthGrant.create({ data });
  return data.id;
}

/**
 * Creates the grant of a device without its browser, and ends those beyond `OFFLINE_MAX` that were used longest ago. It
 * ends with no session, but when all others are logged out.
 */
export async function deviceGrant(
  queries: Queries,
  grant: NewGrant & { deviceName: string },
): Promise<string> {
  await endExcessGrants(queries, { ...grant, isDevice: true });
  return insertGrant(queries, grant);
}

/**
 * Ends the grants that were used longest ago, so that one more does not exceed `OFFLINE_MAX`; the caller holds the
 * account's lock. Raw SQL for the order: a login that reads only userinfo has no access tokens for the services, so its
 * refreshes count too.
 */
const endExcessGrants = (
  queries: Queries,
  of: { accountId: string; applicationId: string; isDevice: boolean },
) =>
  queries.query(
    `DELETE FROM oauth_grants WHERE id IN (
       SELECT id FROM oauth_grants g
       WHERE account_id = $1 AND application_id = $2 AND session_id IS NULL AND (device_name IS NOT NULL) = $3
       ORDER BY greatest(access_expires_at, (
         SELECT max(consumed_at) FROM oauth_records WHERE grant_id = g.id AND model = 'RefreshToken'
       )) DESC, id DESC
       OFFSET ${OFFLINE_MAX - 1} LIMIT ${OFFLINE_MAX}
     )`,
    [of.accountId, of.applicationId, of.isDevice],
  );

/** That of an application that works for its owner; made when there is none. */
export async function machineGrant(
  database: Database,
  machine: { accountId: string; applicationId: string; nowMs: number },
): Promise<string> {
  const { nowMs, ...where } = machine;
  const found = await database.prisma.oauthGrant.findFirst({
    where: { ...where, expiresAt: { gt: new Date(nowMs) } },
    select: { id: true },
  });
  return found?.id ?? insertGrant(database, { ...machine, scopes: SCOPES });
}

/** Ends a grant, and its tokens in every service. @returns whose it was */
export async function deleteGrant(database: Database, id: string) {
  const where = { id };
  const found = await database.prisma.oauthGrant.findUnique({
    where,
    select: { accountId: true, application: { select: { name: true } } },
  });
  await database.prisma.oauthGrant.deleteMany({ where });
  return found;
}

/** The grants as the provider sees them. It makes and changes none itself. */
export function createGrants(
  database: Database,
  endGrant: (id: string) => Promise<unknown>,
): Adapter {
  const refused = () => Promise.reject(new Error('Grants are made by loadGrant'));
  return {
    async find(id) {
      const row = await database.prisma.oauthGrant.findUnique({ where: { id } });
      if (row === null) return undefined;
      const api = row.scopes.filter(isApiScope);
      const identity = row.scopes.filter((scope) => !isApiScope(scope));
      return {
        kind: 'Grant',
        jti: id,
        accountId: row.accountId,
        clientId: row.applicationId,
        iat: Math.floor(row.createdAt.getTime() / 1000),
        exp: Math.floor(row.expiresAt.getTime() / 1000),
        openid: { scope: identity.join(' ') },
        resources: { [API_RESOURCE]: api.join(' ') },
      };
    },
    destroy: async (id) => void (await endGrant(id)),
    upsert: refused,
    consume: refused,
    findByUid: refused,
    findByUserCode: refused,
    revokeByGrantId: refused,
  };
}

/** @returns how many went; as many as `limit` when there may be more */
export async function purgeGrants(database: Database, before: Date, limit: number) {
  const where = { expiresAt: { lt: before } };
  return (await database.prisma.oauthGrant.deleteMany({ where, limit })).count;
}
