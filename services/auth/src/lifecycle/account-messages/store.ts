import { type Collection, pagesById } from '@atrium/service-kit/account-data';
import type { Database, Tx } from '../../database.ts';
import { listIdentities } from '../../login-providers/store.ts';

const PAGE_SIZE = 500;

/** Everything that auth stores about an account, except secrets and their hashes. */
export function accountCollections(database: Database, accountId: string): Collection[] {
  return [
    ['account', readAccount(database, accountId)],
    ['uploadedAvatar', readUploadedAvatar(database, accountId)],
    ['devices', readDevices(database, accountId)],
    ['sessions', pagesById(PAGE_SIZE, (page) => readSessions(database, accountId, page))],
    [
      'securityEvents',
      pagesById(PAGE_SIZE, (page) => readSecurityEvents(database, accountId, page)),
    ],
    ['passkeys', pagesById(PAGE_SIZE, (page) => readPasskeys(database, accountId, page))],
    ['authenticatorApps', readAuthenticatorApps(database, accountId)],
    ['identities', readIdentities(database, accountId)],
    ['personalTokens', pagesById(PAGE_SIZE, (page) => readTokens(database, accountId, page))],
    ['applications', pagesById(PAGE_SIZE, (page) => readApplications(database, accountId, page))],
    [
      'allowedApplications',
      pagesById(PAGE_SIZE, (page) => readConsents(database, accountId, page)),
    ],
    ['applicationLogins', pagesById(PAGE_SIZE, (page) => readGrants(database, accountId, page))],
  ];
}

type PageQuery = Parameters<Parameters<typeof pagesById>[1]>[0];

async function* readIdentities(database: Database, accountId: string): AsyncGenerator<object[]> {
  yield await listIdentities(database, accountId);
}

async function* readAccount(database: Database, id: string): AsyncGenerator<object[]> {
  const account = await database.prisma.account.findUnique({
    where: { id },
    // Listed one by one, so that a new secret column cannot end up in an export.
    select: {
      id: true,
      name: true,
      username: true,
      email: true,
      birthdate: true,
      externalId: true,
      gender: true,
      plan: true,
      language: true,
      bio: true,
      avatar: true,
      profileLinks: true,
      emailVerifiedAt: true,
      createdAt: true,
      updatedAt: true,
      suspendedAt: true,
      deletionDueAt: true,
    },
  });
  if (account !== null) {
    yield [{ ...account, birthdate: account.birthdate.toISOString().slice(0, 10) }];
  }
}

async function* readUploadedAvatar(
  database: Database,
  accountId: string,
): AsyncGenerator<object[]> {
  const avatar = await database.prisma.avatar.findUnique({ where: { accountId } });
  if (avatar !== null) {
    yield [exportedImage(avatar)];
  }
}

const exportedImage = ({ image }: { image: Uint8Array }) => ({
  type: 'image/webp',
  base64: Buffer.from(image).toString('base64'),
});

/** At most a hundred. */
async function* readDevices(database: Database, accountId: string): AsyncGenerator<object[]> {
  yield await database.prisma.accountDevice.findMany({
    where: { accountId },
    orderBy: { fingerprint: 'asc' },
    take: PAGE_SIZE,
    select: { browser: true, os: true, firstSeenAt: true, lastSeenAt: true },
  });
}

function readSessions(database: Database, accountId: string, page: PageQuery) {
  return database.prisma.session.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: {
      id: true,
      browser: true,
      os: true,
      ipAddress: true,
      createdAt: true,
      lastUsedAt: true,
      revokedAt: true,
    },
  });
}

function readSecurityEvents(database: Database, accountId: string, page: PageQuery) {
  return database.prisma.auditEvent.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: {
      id: true,
      kind: true,
      sessionId: true,
      ipAddress: true,
      device: true,
      data: true,
      createdAt: true,
    },
  });
}

function readPasskeys(database: Database, accountId: string, page: PageQuery) {
  return database.prisma.passkey.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
  });
}

async function* readAuthenticatorApps(
  database: Database,
  accountId: string,
): AsyncGenerator<object[]> {
  yield await database.prisma.totpFactor.findMany({
    where: { accountId },
    select: { createdAt: true, confirmedAt: true },
  });
}

function readTokens(database: Database, accountId: string, page: PageQuery) {
  return database.prisma.personalToken.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: {
      id: true,
      name: true,
      scopes: true,
      createdAt: true,
      expiresAt: true,
      lastUsedAt: true,
    },
  });
}

/** As many as a plan allows, so the logos fit into memory. */
async function readApplications(database: Database, accountId: string, page: PageQuery) {
  const rows = await database.prisma.application.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: {
      id: true,
      kind: true,
      name: true,
      homePage: true,
      redirectUrls: true,
      postLogoutUrls: true,
      backchannelLogoutUrl: true,
      scopes: true,
      createdAt: true,
      logo: { select: { image: true } },
    },
  });
  return rows.map((row) => ({ ...row, logo: row.logo && exportedImage(row.logo) }));
}

function readConsents(database: Database, accountId: string, page: PageQuery) {
  return database.prisma.oauthConsent.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: {
      id: true,
      scopes: true,
      createdAt: true,
      lastUsedAt: true,
      application: { select: { id: true, name: true } },
    },
  });
}

/** Logins to applications, those of devices without a browser among them. */
function readGrants(database: Database, accountId: string, page: PageQuery) {
  return database.prisma.oauthGrant.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: {
      id: true,
      deviceName: true,
      scopes: true,
      createdAt: true,
      expiresAt: true,
      application: { select: { id: true, name: true } },
    },
  });
}

/** False when the message was processed before: then nothing else may happen in this transaction. */
export async function markProcessed(tx: Tx, messageId: string): Promise<boolean> {
  const { count } = await tx.prisma.processedMessage.createMany({
    data: [{ id: messageId }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** @returns how many were deleted */
export async function purgeProcessedMessages(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const where = { processedAt: { lt: before } };
  const { count } = await database.prisma.processedMessage.deleteMany({ where, limit });
  return count;
}
