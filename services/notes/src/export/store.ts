import { pagesById } from '@atrium/events/account-data';
import { sqlOf } from '@atrium/service-kit/database';
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

/** Raw: notes may have more ids than a statement of Prisma may have parameters. */
const FIND_FILES = `
  SELECT attachments.id, attachments.name FROM attachments
    JOIN attachment_workspaces ON attachment_workspaces.attachment_id = attachments.id
  WHERE attachment_workspaces.workspace_id = $1 AND attachments.id = ANY ($2)
    AND attachments.stored_at IS NOT NULL`;

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
    files: (workspaceId, ids) => sqlOf(prisma).query<ExportedFile>(FIND_FILES, [workspaceId, ids]),
  };
}
