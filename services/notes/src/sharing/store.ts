import { randomBytes, randomInt } from 'node:crypto';
import { appendEvent } from '@atrium/events/outbox';
import { sqlOf, prismaTransaction } from '@atrium/service-kit/database';
import { recordActivity } from '../activity/record.ts';
import type { Prisma, PrismaClient, Share } from '../generated/client.ts';
import { permitted, permittedSql } from '../members/permissions.ts';
import { accepts, type Precondition } from '../notes/entity-tag.ts';

/** What an owner may set. */
export interface ShareChange {
  passwordHash?: string | null;
  expiresAt?: Date | null;
  maxViews?: number | null;
  allowIndexing?: boolean;
}

export type ShareOutcome =
  | { kind: 'shared' | 'already-shared'; share: Share }
  | { kind: 'missing' };
export type ChangeShareOutcome =
  | { kind: 'changed'; share: Share }
  | { kind: 'missing' }
  | { kind: 'stale' };
export type UnshareOutcome = { kind: 'private' } | { kind: 'missing' } | { kind: 'stale' };

export interface ShareStore {
  /**
   * Makes the note public with these settings. The event, for the owner of the workspace, is stored in the
   * same transaction, only if the note was private.
   */
  share(
    id: string,
    accountId: string,
    settings: ShareChange,
    requestId: string,
  ): Promise<ShareOutcome>;
  find(noteId: string, accountId: string): Promise<Share | null>;
  change(
    noteId: string,
    accountId: string,
    settings: ShareChange,
    precondition: Precondition,
  ): Promise<ChangeShareOutcome>;
  unshare(noteId: string, accountId: string, precondition: Precondition): Promise<UnshareOutcome>;
}

interface LockedNote {
  workspaceId: string;
  ownerId: string;
  title: string;
}

const KEY_BYTES = 32;
/** A share begins with a random version, so that the entity tag of an earlier one does not fit it. */
const FIRST_VERSION_MAX = 100_000_000;

/** Raw: locks the note, so that its share is made, changed and removed by one request after another. */
const LOCK_NOTE = `
  SELECT notes.workspace_id AS "workspaceId", notes.title, workspaces.owner_id AS "ownerId"
  FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE notes.id = $1 AND notes.deleted_at IS NULL AND ${permittedSql('$2', 'shareNotes')}
  FOR UPDATE OF notes`;

/** A new password also ends what readers have opened with the old one; a new maximum counts from now on. */
function dataOf(settings: ShareChange, current: Share) {
  const { passwordHash, maxViews } = settings;
  const hasNewMaximum = typeof maxViews === 'number' && maxViews !== current.maxViews;
  return {
    ...settings,
    ...(passwordHash !== undefined && { accessKey: randomBytes(KEY_BYTES) }),
    ...(hasNewMaximum && { views: 0 }),
  };
}

export function createShareStore(
  prisma: PrismaClient,
  sharedUrl: (token: string) => string,
): ShareStore {
  /** Hands on the share as it is, or null for a private note, and keeps others from changing it meanwhile. */
  function locked<Outcome>(
    noteId: string,
    accountId: string,
    work: (tx: Prisma.TransactionClient, share: Share | null, note: LockedNote) => Promise<Outcome>,
  ): Promise<Outcome | { kind: 'missing' }> {
    return prismaTransaction(prisma, async (tx) => {
      const [note] = await sqlOf(tx).query<LockedNote>(LOCK_NOTE, [noteId, accountId]);
      if (note === undefined) return { kind: 'missing' };
      return work(tx, await tx.share.findUnique({ where: { noteId } }), note);
    });
  }

  const touchNote = (tx: Prisma.TransactionClient, id: string) =>
    tx.note.update({ where: { id }, data: { version: { increment: 1 } } });

  const update = (tx: Prisma.TransactionClient, current: Share, settings: ShareChange) =>
    tx.share.update({
      where: { noteId: current.noteId },
      data: { ...dataOf(settings, current), version: { increment: 1 } },
    });

  return {
    share: (noteId, accountId, settings, requestId) =>
      locked<ShareOutcome>(noteId, accountId, async (tx, current, note) => {
        if (current !== null) {
          const isSame = Object.keys(settings).length === 0;
          const share = isSame ? current : await update(tx, current, settings);
          return { kind: 'already-shared', share };
        }
        const share = await tx.share.create({
          data: {
            noteId,
            token: randomBytes(KEY_BYTES).toString('base64url'),
            version: randomInt(1, FIRST_VERSION_MAX),
            accessKey: randomBytes(KEY_BYTES),
            ...settings,
          },
        });
        await touchNote(tx, noteId);
        const { workspaceId, title, ownerId } = note;
        const sharedAt = share.sharedAt.toISOString();
        await appendEvent(sqlOf(tx), {
          event: 'note.shared',
          accountId: ownerId,
          requestId,
          data: { noteId, workspaceId, title, url: sharedUrl(share.token), sharedAt },
        });
        const activity = { kind: 'note.shared', workspaceId, accountId, noteId, title } as const;
        await recordActivity(sqlOf(tx), activity);
        return { kind: 'shared', share };
      }),
    find: (noteId, accountId) =>
      prisma.share.findUnique({
        where: { noteId, note: { deletedAt: null, workspace: permitted(accountId, 'read') } },
      }),
    change: (noteId, accountId, settings, precondition) =>
      locked<ChangeShareOutcome>(noteId, accountId, async (tx, current) => {
        if (current === null) return { kind: 'missing' };
        if (!accepts(precondition, current.version)) return { kind: 'stale' };
        return { kind: 'changed', share: await update(tx, current, settings) };
      }),
    unshare: (noteId, accountId, precondition) =>
      locked<UnshareOutcome>(noteId, accountId, async (tx, current, { workspaceId, title }) => {
        if (current === null) return { kind: 'private' };
        if (!accepts(precondition, current.version)) return { kind: 'stale' };
        await tx.share.delete({ where: { noteId } });
        await touchNote(tx, noteId);
        const activity = { kind: 'note.unshared', workspaceId, accountId, noteId, title } as const;
        await recordActivity(sqlOf(tx), activity);
        return { kind: 'private' };
      }),
  };
}
