import type { TimePosition } from '@atrium/service-kit/pagination';
import { permitted } from '../access/permissions.ts';
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
  /** Names the current version, so that the next change begins another one. */
  name(noteId: string, accountId: string, name: string): Promise<VersionSummaryRecord | null>;
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

export function createVersionStore({ prisma }: Database): VersionStore {
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
    async name(noteId, accountId, name) {
      const note = { deletedAt: null, workspace: permitted(accountId, 'writeNotes') };
      const [version] = await prisma.version.updateManyAndReturn({
        where: { noteId, supersededAt: null, note },
        data: { name },
        select: SUMMARY,
      });
      return version ?? null;
    },
  };
}
