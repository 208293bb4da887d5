import type { Origin } from '@atrium/service-kit/database';
import type { TimePosition } from '@atrium/service-kit/pagination';
import { permitted, permittedSql } from '../access/permissions.ts';
import type { Database } from '../database.ts';

export interface VersionSummaryRecord {
  id: string;
  noteId: string;
  title: string;
  name: string | null;
  authorId: string | null;
  createdAt: Date;
  supersededAt: Date | null;
}

export interface VersionRecord extends VersionSummaryRecord {
  content: string;
  tags: string[];
}

export type NameOutcome =
  | { kind: 'named'; version: VersionSummaryRecord }
  | { kind: 'missing' }
  | { kind: 'stale' };

export interface VersionStore {
  /** Newest first. */
  list(noteId: string, limit: number, after?: TimePosition): Promise<VersionSummaryRecord[]>;
  find(noteId: string, id: string, accountId: string): Promise<VersionRecord | null>;
  /**
   * Two of them at one moment, both found as by `find`.
   *
   * @param ids the current version when it is undefined
   */
  findTwo(
    noteId: string,
    ids: readonly [from: string, to: string | undefined],
    accountId: string,
  ): Promise<[from: VersionRecord | undefined, to: VersionRecord | undefined]>;
  /**
   * Names the current version, so that the next change begins another one.
   *
   * @param target.accepted the versions by entity tag that the note may have; null for any
   */
  name(
    target: { noteId: string; accountId: string; origin: Origin; accepted: number[] | null },
    name: string,
  ): Promise<NameOutcome>;
}

const SUMMARY = {
  id: true,
  noteId: true,
  title: true,
  name: true,
  authorId: true,
  createdAt: true,
  supersededAt: true,
} as const;

/** Raw: locks the note, so that a change under way does not begin another version meanwhile. */
const LOCK_NOTE = `
  SELECT notes.version FROM notes JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE notes.id = $1 AND notes.deleted_at IS NULL AND ${permittedSql('$2', 'writeNotes')}
  FOR UPDATE OF notes`;

export function createVersionStore(database: Database): VersionStore {
  const { prisma } = database;
  return {
    list(noteId, limit, after) {
      const later = after && [
        { createdAt: { lt: after.time } },
        { createdAt: after.time, id: { lt: after.id } },
      ];
      return prisma.version.findMany({
        where: { noteId, ...(later && { OR: later }) },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        select: SUMMARY,
      });
    },
    find(noteId, id, accountId) {
      const note = { deletedAt: null, workspace: permitted(accountId, 'read') };
      return prisma.version.findFirst({
        where: { noteId, id, note },
        select: { ...SUMMARY, content: true, tags: true },
      });
    },
    async findTwo(noteId, [from, to], accountId) {
      const which = [{ id: from }, to === undefined ? { supersededAt: null } : { id: to }];
      const note = { deletedAt: null, workspace: permitted(accountId, 'read') };
      const found = await prisma.version.findMany({
        where: { noteId, OR: which, note },
        select: { ...SUMMARY, content: true, tags: true },
      });
      const isTo = ({ id, supersededAt }: VersionRecord) =>
        to === undefined ? supersededAt === null : id === to;
      return [found.find(({ id }) => id === from), found.find(isTo)];
    },
    name({ noteId, accountId, origin, accepted }, name) {
      return database.transaction<NameOutcome>(origin, async (tx) => {
        const [note] = await tx.query<{ version: number }>(LOCK_NOTE, [noteId, accountId]);
        if (note === undefined) return { kind: 'missing' };
        if (accepted?.includes(note.version) === false) return { kind: 'stale' };
        const [version] = await tx.prisma.version.updateManyAndReturn({
          where: { noteId, supersededAt: null },
          data: { name },
          select: SUMMARY,
        });
        return version === undefined ? { kind: 'missing' } : { kind: 'named', version };
      });
    },
  };
}
