import { randomBytes, randomInt } from 'node:crypto';
import type { Origin } from '@atrium/service-kit/database';
import { permitted, permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import type { Database, Tx } from '../database.ts';
import type { Share } from '../generated/client.ts';
import { accepts, type Precondition } from '../notes/entity-tag.ts';
import { appendSharedEvents } from './events.ts';

/** What an owner may set. */
export interface ShareChange {
  passwordHash?: string | null;
  expiresAt?: Date | null;
  maxViews?: number | null;
  allowIndexing?: boolean;
}

export type ShareOutcome = { kind: 'shared'; share: Share } | { kind: 'missing' };
export type ChangeShareOutcome =
  | { kind: 'changed'; share: Share }
  | { kind: 'missing' }
  | { kind: 'stale' };
export type UnshareOutcome = { kind: 'private' } | { kind: 'missing' } | { kind: 'stale' };

/** The note whose share is changed, and the account that changes it. */
export interface ShareTarget {
  noteId: string;
  accountId: string;
  origin: Origin;
}

export interface ShareStore {
  /** Makes the note public with these settings. The owner of the workspace gets an event if it was private. */
  share(target: ShareTarget, settings: ShareChange): Promise<ShareOutcome>;
  find(noteId: string, accountId: string): Promise<Share | null>;
  change(
    target: ShareTarget,
    settings: ShareChange,
    precondition: Precondition,
  ): Promise<ChangeShareOutcome>;
  unshare(target: ShareTarget, precondition: Precondition): Promise<UnshareOutcome>;
}

interface LockedNote {
  workspaceId: string;
  title: string;
}

const KEY_BYTES = 32;
/** A share begins with a random version, so that the entity tag of an earlier one does not fit it. */
const FIRST_VERSION_MAX = 100_000_000;

/** Raw: locks the note, so that its share is made, changed and removed by one request after another. */
const LOCK_NOTE = `
  SELECT notes.workspace_id AS "workspaceId", notes.title
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
  database: Database,
  sharedUrl: (token: string) => string,
): ShareStore {
  /** Hands on the share as it is, or null for a private note, and keeps others from changing it meanwhile. */
  function locked<Outcome>(
    { noteId, accountId, origin }: ShareTarget,
    work: (tx: Tx, share: Share | null, note: LockedNote) => Promise<Outcome>,
  ): Promise<Outcome | { kind: 'missing' }> {
    return database.transaction(origin, async (tx) => {
      const [note] = await tx.query<LockedNote>(LOCK_NOTE, [noteId, accountId]);
      if (note === undefined) return { kind: 'missing' };
      return work(tx, await tx.prisma.share.findUnique({ where: { noteId } }), note);
    });
  }

  const touchNote = (tx: Tx, id: string) =>
    tx.prisma.note.update({ where: { id }, data: { version: { increment: 1 } } });

  const update = (tx: Tx, current: Share, settings: ShareChange) =>
    tx.prisma.share.update({
      where: { noteId: current.noteId },
      data: { ...dataOf(settings, current), version: { increment: 1 } },
    });

  return {
    share: (target, settings) =>
      locked<ShareOutcome>(target, async (tx, current, note) => {
        const { noteId, accountId } = target;
        if (current !== null) {
          const isSame = Object.keys(settings).length === 0;
          const share = isSame ? current : await update(tx, current, settings);
          return { kind: 'shared', share };
        }
        const share = await tx.prisma.share.create({
          data: {
            noteId,
            token: randomBytes(KEY_BYTES).toString('base64url'),
            version: randomInt(1, FIRST_VERSION_MAX),
            accessKey: randomBytes(KEY_BYTES),
            ...settings,
          },
        });
        await touchNote(tx, noteId);
        await appendSharedEvents(tx, [noteId], sharedUrl);
        const { workspaceId, title } = note;
        await recordActivity(tx, { kind: 'note.shared', workspaceId, accountId, noteId, title });
        return { kind: 'shared', share };
      }),
    find: (noteId, accountId) =>
      database.prisma.share.findUnique({
        where: { noteId, note: { deletedAt: null, workspace: permitted(accountId, 'read') } },
      }),
    change: (target, settings, precondition) =>
      locked<ChangeShareOutcome>(target, async (tx, current) => {
        if (current === null) return { kind: 'missing' };
        if (!accepts(precondition, current.version)) return { kind: 'stale' };
        return { kind: 'changed', share: await update(tx, current, settings) };
      }),
    unshare: (target, precondition) =>
      locked<UnshareOutcome>(target, async (tx, current, { workspaceId, title }) => {
        const { noteId, accountId } = target;
        if (current === null) return { kind: 'private' };
        if (!accepts(precondition, current.version)) return { kind: 'stale' };
        await tx.prisma.share.delete({ where: { noteId } });
        await touchNote(tx, noteId);
        await recordActivity(tx, { kind: 'note.unshared', workspaceId, accountId, noteId, title });
        return { kind: 'private' };
      }),
  };
}
