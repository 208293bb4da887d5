import type { Note, NoteSummary } from '@atrium/contracts/notes/notes';
import type { NoteRecord, NoteSummaryRecord } from './store.ts';

export type NoteRepresentation = ReturnType<typeof createNoteRepresentation>;

/** Notes as responses show them. */
export function createNoteRepresentation(sharedUrl: (token: string) => string) {
  function summarize(note: NoteSummaryRecord): NoteSummary {
    return {
      id: note.id,
      workspaceId: note.workspaceId,
      title: note.title,
      tags: note.tags,
      pinned: note.pinned,
      favourite: note.favourite,
      isTemplate: note.isTemplate,
      parentId: note.parentId,
      sharedUrl: note.shareToken === null ? null : sharedUrl(note.shareToken),
      createdAt: note.createdAt.toISOString(),
      updatedAt: note.updatedAt.toISOString(),
      ...(note.authorId !== undefined && { authorId: note.authorId }),
    };
  }
  const represent = (note: NoteRecord): Note => ({ ...summarize(note), content: note.content });
  return { summarize, represent };
}
