import type { Database } from '../database.ts';

export interface ExportedNote {
  id: string;
  title: string;
  content: string;
  tags: string[];
  pinned: boolean;
  isTemplate: boolean;
  createdAt: Date;
  updatedAt: Date;
  sourceId: string | null;
}

export interface OutlinedNote {
  id: string;
  title: string;
  parentId: string | null;
  /** The bytes of its content. */
  bytes: number;
}

export interface ExportedFile {
  id: string;
  name: string;
  sourceId: string | null;
}

export interface FormerLink {
  /** The note that has the link. */
  noteId: string;
  name: string;
  /** What the note that it means is called now. */
  title: string;
}

export interface ExportStore {
  workspace(id: string): Promise<{ id: string; name: string; description: string } | null>;
  /** Notes that are not in the trash, siblings in their order. */
  outline(workspaceId: string): Promise<OutlinedNote[]>;
  /** Notes in the order of these ids, without those that are gone by now. */
  notes(workspaceId: string, ids: readonly string[]): Promise<ExportedNote[]>;
  files(workspaceId: string, ids: string[]): Promise<ExportedFile[]>;
  /** The ids of these notes where they were exported, of those that were imported. */
  sources(workspaceId: string, ids: string[]): Promise<{ id: string; sourceId: string }[]>;
  /** Links of these notes by a former title of another one. */
  formerLinks(workspaceId: string, ids: string[]): Promise<FormerLink[]>;
}

/** Raw: notes may have more ids than a statement of Prisma may have parameters. */
const FIND_FILES = `
  SELECT attachments.id, attachments.name, attachments.source_id AS "sourceId" FROM attachments
    JOIN attachment_workspaces ON attachment_workspaces.attachment_id = attachments.id
  WHERE attachment_workspaces.workspace_id = $1 AND attachments.id = ANY ($2)
    AND attachments.stored_at IS NOT NULL`;

const FIND_SOURCES = `
  SELECT id, source_id AS "sourceId" FROM notes
  WHERE workspace_id = $1 AND id = ANY ($2) AND source_id IS NOT NULL`;

/** Raw: Prisma does not know the names of titles. */
const FIND_FORMER_LINKS = `
  SELECT links.note_id AS "noteId", links.name, notes.title
  FROM note_links AS links JOIN notes ON notes.id = links.target_id
  WHERE links.note_id = ANY ($2) AND links.name NOT LIKE '/notes/%' AND notes.workspace_id = $1
    AND notes.deleted_at IS NULL AND note_name(notes.title) <> links.name`;

/** Raw, as there may be many rows. */
const FIND_OUTLINE = `
  SELECT id, title, parent_id AS "parentId", octet_length(content) AS bytes FROM notes
  WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY position, id`;

export function createExportStore(database: Database): ExportStore {
  const { prisma } = database;
  return {
    workspace: (id) =>
      prisma.workspace.findUnique({
        where: { id },
        select: { id: true, name: true, description: true },
      }),
    outline: (workspaceId) => database.query<OutlinedNote>(FIND_OUTLINE, [workspaceId]),
    async notes(workspaceId, ids) {
      const notes = await prisma.note.findMany({
        where: { id: { in: [...ids] }, workspaceId, deletedAt: null },
        select: {
          id: true,
          title: true,
          content: true,
          tags: true,
          pinned: true,
          isTemplate: true,
          createdAt: true,
          updatedAt: true,
          sourceId: true,
        },
      });
      return notes.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    },
    files: (workspaceId, ids) => database.query<ExportedFile>(FIND_FILES, [workspaceId, ids]),
    sources: (workspaceId, ids) => database.query(FIND_SOURCES, [workspaceId, ids]),
    formerLinks: (workspaceId, ids) => database.query(FIND_FORMER_LINKS, [workspaceId, ids]),
  };
}
