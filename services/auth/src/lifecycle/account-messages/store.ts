import type { Collection } from '@atrium/service-kit/account-data';
import type { PrismaClient, Tx } from '../../transaction-store.ts';

const PAGE_SIZE = 500;

/** Everything that auth stores about an account, except secrets and their hashes. */
export function accountCollections(prisma: PrismaClient, accountId: string): Collection[] {
  return [
    ['account', readAccount(prisma, accountId)],
    ['uploadedAvatar', readUploadedAvatar(prisma, accountId)],
    ['devices', readDevices(prisma, accountId)],
    ['sessions', pagesById((page) => readSessions(prisma, accountId, page))],
    ['securityEvents', pagesById((page) => readSecurityEvents(prisma, accountId, page))],
    ['passkeys', pagesById((page) => readPasskeys(prisma, accountId, page))],
  ];
}

interface PageArgs {
  where: { id: { gt: string } };
  orderBy: { id: 'asc' };
  take: number;
}

async function* pagesById<Row extends { id: string }>(
  readPage: (page: PageArgs) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[];
  let after = '';
  do {
    rows = await readPage({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE_SIZE,
    });
    yield rows;
    after = rows.at(-1)?.id ?? after;
  } while (rows.length === PAGE_SIZE);
}

async function* readAccount(prisma: PrismaClient, id: string): AsyncGenerator<object[]> {
  const account = await prisma.account.findUnique({
    where: { id },
    // Listed one by one, so that a new secret column cannot end up in an export.
    select: {
      id: true,
      name: true,
      username: true,
      email: true,
      birthdate: true,
      gender: true,
      plan: true,
      language: true,
      bio: true,
      avatar: true,
      profileLinks: true,
      emailVerifiedAt: true,
      createdAt: true,
      updatedAt: true,
    },
  });
  if (account !== null) {
    yield [{ ...account, birthdate: account.birthdate.toISOString().slice(0, 10) }];
  }
}

async function* readUploadedAvatar(
  prisma: PrismaClient,
  accountId: string,
): AsyncGenerator<object[]> {
  const avatar = await prisma.avatar.findUnique({ where: { accountId } });
  if (avatar !== null) {
    yield [{ type: 'image/webp', base64: Buffer.from(avatar.image).toString('base64') }];
  }
}

/** At most a hundred. */
async function* readDevices(prisma: PrismaClient, accountId: string): AsyncGenerator<object[]> {
  yield await prisma.accountDevice.findMany({
    where: { accountId },
    orderBy: { fingerprint: 'asc' },
    take: PAGE_SIZE,
    select: { browser: true, os: true, firstSeenAt: true, lastSeenAt: true },
  });
}

function readSessions(prisma: PrismaClient, accountId: string, page: PageArgs) {
  return prisma.session.findMany({
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

function readSecurityEvents(prisma: PrismaClient, accountId: string, page: PageArgs) {
  return prisma.auditEvent.findMany({
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

function readPasskeys(prisma: PrismaClient, accountId: string, page: PageArgs) {
  return prisma.passkey.findMany({
    ...page,
    where: { accountId, ...page.where },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
  });
}

/** False when the message was processed before: then nothing else may happen in this transaction. */
export async function markProcessed(tx: Tx, messageId: string): Promise<boolean> {
  const { count } = await tx.processedMessage.createMany({
    data: [{ id: messageId }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** @returns how many were deleted */
export async function purgeProcessedMessages(
  prisma: PrismaClient,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const where = { processedAt: { lt: before } };
  const { count } = await prisma.processedMessage.deleteMany({ where, limit });
  return count;
}
