import { attachmentPath } from '@atrium/contracts/notes/attachments';
import { idPattern } from '@atrium/contracts/ids';
import { stringify } from 'yaml';
import type { ExportedNote } from './store.ts';

const FILE_PATH = new RegExp(attachmentPath(`(${idPattern('fil')})`), 'g');
/** Relative, as an address with a host may be of another Atrium. */
export const NOTE_PATH = new RegExp(`(?<![\\w.:-])/notes/(${idPattern('note')})`, 'g');
/** What some file system does not allow in a name. */
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}]/gu;
const NAME_MAX_LENGTH = 100;

/** The ids of the attachments that a note refers to. */
export function filesOf({ content }: Pick<ExportedNote, 'content'>): string[] {
  return [...content.matchAll(FILE_PATH)].map(([, id = '']) => id);
}

/** The ids of the notes that a note links to by their addresses. */
export function linkedNotesOf({ content }: Pick<ExportedNote, 'content'>): string[] {
  return [...content.matchAll(NOTE_PATH)].map(([, id = '']) => id);
}

export function pathOfFile(id: string, name: string): string {
  return `attachments/${id}-${name.replaceAll(FORBIDDEN, '_')}`;
}

/**
 * A note as a file: YAML front matter, then its text, in which paths of attachments are relative.
 *
 * @param paths of attachments by their ids
 * @param links ids of linked notes as they are exported, where they are others
 */
export function toMarkdown(
  note: Omit<ExportedNote, 'sourceId'>,
  paths: ReadonlyMap<string, string>,
  links: ReadonlyMap<string, string>,
): string {
  const { id, title, tags, pinned, isTemplate, createdAt, updatedAt } = note;
  const properties = {
    id,
    title,
    tags,
    pinned,
    ...(isTemplate && { template: true }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
  const content = note.content
    .replaceAll(FILE_PATH, (address, fileId: string) => {
      const path = paths.get(fileId);
      return path === undefined ? address : `../${encodeURI(path)}`;
    })
    .replaceAll(NOTE_PATH, (_address, noteId: string) => `/notes/${links.get(noteId) ?? noteId}`);
  return `---\n${stringify(properties, { lineWidth: 0 })}---\n${content}`;
}

/** Gives every note a file name of its own, after its title; the same ones for the same notes. */
export function createFileNames(): (title: string) => string {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return (title) => {
    const short = title.replaceAll(FORBIDDEN, '_').slice(0, NAME_MAX_LENGTH).toWellFormed();
    // Windows has no names that begin or end with these.
    const base = short.replaceAll(/^[. ]+|[. ]+$/g, '') || 'Untitled';
    let name = base;
    // Where letter case does not count, files must not replace one another.
    const key = base.toLowerCase();
    let number = numbers.get(key) ?? 2;
    for (; taken.has(name.toLowerCase()); number += 1) name = `${base} (${number})`;
    numbers.set(key, number);
    taken.add(name.toLowerCase());
    return `${name}.md`;
  };
}
