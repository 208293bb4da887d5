import { ApplicationKind, SECRETS_MAX } from '@atrium/contracts/auth/applications';
import { SCOPES, type Scope } from '@atrium/contracts/auth/scope-names';
import { newId } from '@atrium/contracts/ids';
import { notFound } from '@atrium/service-kit/http-error';
import { Value } from 'typebox/value';
import type { Database, Queries, Tx } from '../../database.ts';
import type { NewSecret } from './secrets.ts';

const SECRET_FIELDS = { id: true, ending: true, createdAt: true } as const;

const FIELDS = {
  id: true,
  kind: true,
  name: true,
  homePage: true,
  redirectUrls: true,
  postLogoutUrls: true,
  backchannelLogoutUrl: true,
  scopes: true,
  idTokenAlgorithm: true,
  isFirstParty: true,
  createdAt: true,
  logo: { select: { id: true } },
  secrets: { select: SECRET_FIELDS, orderBy: { id: 'asc' } },
} as const;

type Row = NonNullable<Awaited<ReturnType<typeof readRow>>>;

const readRow = (queries: Queries, id: string, accountId: string) =>
  queries.prisma.application.findUnique({ where: { id, accountId }, select: FIELDS });

export type StoredApplication = ReturnType<typeof parse>;

/** The table allows no others. */
const algorithmOf = (row: Row) => (row.idTokenAlgorithm === 'EdDSA' ? 'EdDSA' : 'RS256');

function parse(row: Row) {
  return {
    ...row,
    kind: Value.Parse(ApplicationKind, row.kind),
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
    idTokenAlgorithm: algorithmOf(row),
  } as const;
}

/** How many people have allowed each application that anyone has allowed. */
export async function countPeople(database: Database, ids: string[]): Promise<Map<string, number>> {
  const counts = await database.prisma.oauthConsent.groupBy({
    by: ['applicationId'],
    where: { applicationId: { in: ids } },
    _count: true,
  });
  return new Map(counts.map(({ applicationId, _count: count }) => [applicationId, count]));
}

/** The newest first. */
export async function listApplications(queries: Queries, accountId: string) {
  const rows = await queries.prisma.application.findMany({
    where: { accountId },
    orderBy: { id: 'desc' },
    select: FIELDS,
  });
  return rows.map(parse);
}

export const countApplications = (tx: Tx, accountId: string) =>
  tx.prisma.application.count({ where: { accountId } });

/** @throws HttpError 404 */
export async function getApplication(
  queries: Queries,
  { id, accountId }: { id: string; accountId: string },
): Promise<StoredApplication> {
  const row = await readRow(queries, id, accountId);
  if (row === null) throw notFound('Application');
  return parse(row);
}

export interface NewApplication {
  id: string;
  accountId: string;
  kind: ApplicationKind;
  name: string;
  homePage: string | null;
  redirectUrls: string[];
  postLogoutUrls: string[];
  backchannelLogoutUrl: string | null;
  scopes: Scope[];
  idTokenAlgorithm: 'RS256' | 'EdDSA';
}

export async function insertApplication(
  tx: Tx,
  application: NewApplication,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  await tx.prisma.application.create({
    data: { ...application, createdAt: now, updatedAt: now },
  });
}

export async function updateApplication(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  settings: Partial<Omit<NewApplication, 'id' | 'accountId' | 'kind'>>,
  nowMs: number,
): Promise<void> {
  const updatedAt = new Date(nowMs);
  await tx.prisma.application.update({
    where: { id, accountId },
    data: { ...settings, updatedAt },
  });
}

/**
 * Deletes the logins that wait for a person: the page shows the scopes of before, and would allow the new ones. Raw SQL:
 * the application stands in the payload, and the primary key leads to the few that wait.
 */
export async function deleteWaitingRequests(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `DELETE FROM oauth_records
     WHERE model = 'Interaction' AND payload -> 'params' ->> 'client_id' = $1
       OR model = 'DeviceCode' AND payload ->> 'clientId' = $1 AND grant_id IS NULL`,
    [id],
  );
}

/**
 * Deletes what people have allowed, and their grants with the records, of which there may be very many; in batches, as
 * one statement would hold its locks for too long.
 */
export async function deleteGrantsInBatches(
  database: Database,
  where: { accountId: string } | { application: { id?: string; accountId: string } },
  limit: number,
): Promise<void> {
  const { oauthGrant, oauthRecord, oauthConsent } = database.prisma;
  // First, so that nobody is logged in meanwhile without being asked.
  while ((await oauthConsent.deleteMany({ where, limit })).count === limit);
  let ids: string[];
  do {
    const grants = await oauthGrant.findMany({ where, take: limit, select: { id: true } });
    ids = grants.map(({ id }) => id);
    const ofGrants = { grantId: { in: ids } };
    while ((await oauthRecord.deleteMany({ where: ofGrants, limit })).count === limit);
    await oauthGrant.deleteMany({ where: { id: { in: ids } } });
  } while (ids.length === limit);
}

/** Its grants go with it, which every service learns. @returns its name; undefined when there is none */
export async function deleteApplication(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<string | undefined> {
  const where = { id, accountId };
  const found = await tx.prisma.application.findUnique({ where, select: { name: true } });
  await tx.prisma.application.deleteMany({ where });
  return found?.name;
}

/** The caller holds the lock of its owner. @returns undefined when it has as many as it may */
export async function insertSecret(
  tx: Tx,
  applicationId: string,
  { hash, ending }: NewSecret,
  nowMs: number,
) {
  const count = await tx.prisma.applicationSecret.count({ where: { applicationId } });
  if (count >= SECRETS_MAX) return undefined;
  return tx.prisma.applicationSecret.create({
    data: { id: newId('sct', nowMs), applicationId, hash, ending, createdAt: new Date(nowMs) },
    select: SECRET_FIELDS,
  });
}

/** What a machine has obtained with it ends too. */
export async function deleteSecret(
  tx: Tx,
  { id, applicationId }: { id: string; applicationId: string },
): Promise<boolean> {
  const { count } = await tx.prisma.applicationSecret.deleteMany({ where: { id, applicationId } });
  const ofMachine = { applicationId, application: { kind: 'machine' } };
  if (count === 1) await tx.prisma.oauthGrant.deleteMany({ where: ofMachine });
  return count === 1;
}

/** @returns the names of the applications that had one */
export async function deleteMachineSecrets(tx: Tx, accountId: string): Promise<string[]> {
  const where = { accountId, kind: 'machine', secrets: { some: {} } };
  const machines = await tx.prisma.application.findMany({ where, select: { name: true } });
  await tx.prisma.applicationSecret.deleteMany({ where: { application: where } });
  return machines.map(({ name }) => name);
}

/** @returns its name and owner before; undefined when there is none */
export async function setFirstParty(
  tx: Tx,
  { id, isFirstParty }: { id: string; isFirstParty: boolean },
): Promise<{ name: string; accountId: string } | undefined> {
  const [changed] = await tx.prisma.application.updateManyAndReturn({
    where: { id, accountId: { not: null } },
    data: { isFirstParty },
    select: { name: true, accountId: true },
  });
  const { name, accountId } = changed ?? { accountId: null };
  return name === undefined || accountId === null ? undefined : { name, accountId };
}
