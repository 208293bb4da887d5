import { type GrantedScope, GrantedScope as Schema } from '@atrium/contracts/auth/authorization';
import { newId } from '@atrium/contracts/ids';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Queries, Tx } from '../../database.ts';
import { PROFILE_FIELDS, profileOf } from '../applications/profile.ts';

const GrantedScopes = Type.Array(Schema);

/** What the person has allowed the application; undefined: nothing. */
export async function findConsent(
  queries: Queries,
  of: { accountId: string; applicationId: string },
): Promise<GrantedScope[] | undefined> {
  const found = await queries.prisma.oauthConsent.findUnique({
    where: { accountId_applicationId: of },
    select: { scopes: true },
  });
  return found === null ? undefined : Value.Parse(GrantedScopes, found.scopes);
}

/** Adds to what the person has allowed the application. */
export async function recordConsent(
  queries: Queries,
  consent: { accountId: string; applicationId: string; scopes: readonly string[]; nowMs: number },
): Promise<void> {
  const { nowMs, scopes, ...of } = consent;
  const now = new Date(nowMs);
  const before = (await findConsent(queries, of)) ?? [];
  const all = [...new Set([...before, ...scopes])];
  await queries.prisma.oauthConsent.upsert({
    where: { accountId_applicationId: of },
    create: { id: newId('cns', nowMs), ...of, scopes: all, createdAt: now, lastUsedAt: now },
    update: { scopes: all, lastUsedAt: now },
  });
}

/** The newest first; an account has no more than fit one answer. */
export async function listConsents(
  queries: Queries,
  { accountId, authUrl, ...page }: GrantPage & { accountId: string; authUrl: string },
) {
  const rows = await queries.prisma.oauthConsent.findMany({
    where: { accountId, ...(page.beforeId === null ? {} : { id: { lt: page.beforeId } }) },
    orderBy: { id: 'desc' },
    take: page.limit,
    select: {
      id: true,
      scopes: true,
      createdAt: true,
      lastUsedAt: true,
      application: { select: PROFILE_FIELDS },
    },
  });
  const devices = await queries.prisma.oauthGrant.findMany({
    where: {
      accountId,
      applicationId: { in: rows.map(({ application }) => application.id) },
      deviceName: { not: null },
    },
    orderBy: { id: 'desc' },
    select: { id: true, applicationId: true, deviceName: true, createdAt: true },
  });
  return rows.map(({ application, scopes, ...row }) => ({
    ...row,
    scopes: Value.Parse(GrantedScopes, scopes),
    application: profileOf(application, authUrl),
    devices: devices
      .filter(({ applicationId }) => applicationId === application.id)
      .map(({ id, deviceName, createdAt }) => ({ id, name: deviceName ?? '', createdAt })),
  }));
}

/** Logs a device out. @returns its name and that of the application; undefined when there is none */
export async function endDevice(tx: Tx, where: { id: string; accountId: string }) {
  const found = await tx.prisma.oauthGrant.findUnique({
    where: { ...where, deviceName: { not: null } },
    select: { deviceName: true, application: { select: { name: true } } },
  });
  await tx.prisma.oauthGrant.deleteMany({ where: { ...where, deviceName: { not: null } } });
  return found === null ? undefined : `${found.application.name}: ${found.deviceName}`;
}

/** Raw: what ends is read in the statement that ends it. A login without scopes of services has no grant. */
const END_LOGINS = `
  WITH ended AS (
    DELETE FROM oauth_grants WHERE account_id = $1 AND application_id = $2 RETURNING id
  ), logged_out AS (
    UPDATE oauth_records SET payload = payload #- ARRAY['authorizations', $2]
    WHERE account_id = $1 AND payload -> 'authorizations' ? $2
  )
  INSERT INTO oauth_logouts (sid, application_id, account_id, due_at)
  SELECT sid, $2, $1, now()
  FROM (
    SELECT id AS sid FROM ended
    UNION SELECT payload -> 'authorizations' -> $2 ->> 'sid' FROM oauth_records WHERE account_id = $1
  ) AS logins JOIN applications a ON a.id = $2
  WHERE sid IS NOT NULL AND a.backchannel_logout_url IS NOT NULL
  ON CONFLICT (sid) DO NOTHING`;

export interface GrantPage {
  beforeId: string | null;
  limit: number;
}

/**
 * Ends what an application may do for the person, and with its grants their tokens in every service. The application
 * is told of the logins that end.
 *
 * @returns the name of the application; undefined when the account has no such consent
 */
export async function revokeConsent(
  tx: Tx,
  where: { id: string; accountId: string },
): Promise<string | undefined> {
  const select = { applicationId: true, application: { select: { name: true } } };
  const found = await tx.prisma.oauthConsent.findUnique({ where, select });
  if (found === null) return undefined;
  const { applicationId, application } = found;
  await tx.prisma.oauthConsent.deleteMany({ where });
  await tx.query(END_LOGINS, [where.accountId, applicationId]);
  return application.name;
}
