import { pagesById } from '@atrium/events/account-data';
import type { PrismaClient } from '../generated/client.ts';

export interface ExportedNote {
  id: string;
  title: string;
  content: string;
  tags: string[];
  pinned: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface ExportedFile {
  id: string;
  name: string;
}

export interface ExportStore {
  workspace(id: string): Promise<{ id: string; name: string; description: string } | null>;
  /** Those that are not in the trash, in the order of their ids. */
  notes(workspaceId: string): AsyncIterable<ExportedNote[]>;
  files(workspaceId: string, ids: string[]): Promise<ExportedFile[]>;
}

/** A note may have half a megabyte. */
const NOTES_PER_PAGE = 20;

export function createExportStore(prisma: PrismaClient): ExportStore {
  return {
    workspace: (id) =>
      prisma.workspace.findUnique({
        where: { id },
        select: { id: true, name: true, description: true },
      }),
    notes: (workspaceId) =>
      pagesById(NOTES_PER_PAGE, ({ where, ...page }) =>
        prisma.note.findMany({
          ...page,
          where: { ...where, workspaceId, deletedAt: null },
          select: {
            id: true,
            title: true,
            content: true,
            tags: true,
            pinned: true,
            createdAt: true,
            updatedAt: true,
          },
        }),
      ),
    files: (workspaceId, ids) =>
      prisma.attachment.findMany({
        where: { id: { in: ids }, workspaces: { some: { workspaceId } }, storedAt: { not: null } },
        select: { id: true, name: true },
      }),
  };
}
