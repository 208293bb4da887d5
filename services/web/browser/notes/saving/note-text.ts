import type { Note } from '@atrium/client';

/** What a person writes of a note. */
export type NoteText = Pick<Note, 'title' | 'content' | 'tags' | 'pinned'>;

/** A note as the service has it. */
export type StoredNote = Note & { etag: string };

export function textOf({ title, content, tags, pinned }: NoteText): NoteText {
  return { title, content, tags, pinned };
}

/** A content as the editor has it: imported notes and those of an API client may have other line ends. */
export const withEditorLineEnds = (content: string): string => content.replaceAll(/\r\n?/g, '\n');

/** The fields in which one text differs from another. Other line ends are no difference: nobody typed them. */
export function changesBetween(from: NoteText, to: NoteText): Partial<NoteText> {
  return {
    ...(from.title !== to.title && { title: to.title }),
    ...(withEditorLineEnds(from.content) !== withEditorLineEnds(to.content) && {
      content: to.content,
    }),
    ...(!sameTags(from.tags, to.tags) && { tags: to.tags }),
    ...(from.pinned !== to.pinned && { pinned: to.pinned }),
  };
}

export function isSameText(a: NoteText, b: NoteText): boolean {
  return Object.keys(changesBetween(a, b)).length === 0;
}

function sameTags(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((tag, index) => tag === b[index]);
}
