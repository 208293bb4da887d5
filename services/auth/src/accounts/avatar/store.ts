// Why it is so: docs/decisions/0024-attachments.md
import { randomBytes } from 'node:crypto';
import type { Database, Tx } from '../../database.ts';

const PATH = 'avatars/';
/** A new one for each upload, so that caches need not ask whether it has changed. */
const ID_BYTES = 16;

type ImageOwner = { accountId: string } | { applicationId: string };

/** Replaces the image of an account or an application. The caller holds the lock of the account. @returns its id */
export async function replaceImage(tx: Tx, owner: ImageOwner, image: Buffer): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('base64url');
  await tx.prisma.avatar.deleteMany({ where: owner });
  await tx.prisma.avatar.create({ data: { id, ...owner, image: Uint8Array.from(image) } });
  return id;
}

/** Replaces the account's uploaded avatar. The caller holds the account's lock. */
export async function saveAvatar(
  tx: Tx,
  { accountId, image, nowMs }: { accountId: string; image: Buffer; nowMs: number },
): Promise<void> {
  const id = await replaceImage(tx, { accountId }, image);
  const data = { avatar: `${PATH}${id}`, updatedAt: new Date(nowMs) };
  await tx.prisma.account.update({ where: { id: accountId }, data });
}

/** Removes the account's avatar, uploaded or not. The caller holds the account's lock. */
export async function removeAvatar(
  tx: Tx,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<void> {
  await tx.prisma.avatar.deleteMany({ where: { accountId } });
  const data = { avatar: null, updatedAt: new Date(nowMs) };
  await tx.prisma.account.update({ where: { id: accountId }, data });
}

/** Deletes the uploaded avatar, unless `url` is its own: a page may send back what it read. */
export async function deleteUnusedAvatar(
  tx: Tx,
  { accountId, url }: { accountId: string; url: string | null },
): Promise<void> {
  const id = { not: url?.split('/').at(-1) ?? '' };
  await tx.prisma.avatar.deleteMany({ where: { accountId, id } });
}

export async function findAvatar(database: Database, id: string): Promise<Buffer | undefined> {
  const avatar = await database.prisma.avatar.findUnique({
    where: { id },
    select: { image: true },
  });
  return avatar === null ? undefined : Buffer.from(avatar.image);
}

/** The URL of the logo of an application. */
export const logoUrl = (logo: { id: string } | null, authUrl: string): string | null =>
  avatarUrl(logo && `${PATH}${logo.id}`, authUrl);

/** The URL of an avatar as it is stored: an uploaded one is relative to auth's own URL. */
export function avatarUrl(stored: string | null, authUrl: string): string | null {
  return stored === null ? null : new URL(stored, authUrl).href;
}
