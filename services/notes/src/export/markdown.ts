import { attachmentPath } from '@atrium/contracts/notes/attachments';
import { idPattern } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { stringify } from 'yaml';
import { retitleLinks } from '../link-names/link-names.ts';
import type { ExportedNote } from './store.ts';

/** How a note writes its attachments. */
export const FILE_PATH = new RegExp(attachmentPath(`(${idPattern('fil')})`), 'g');
/** Relative, as a URL with a host may be of another Atrium. */
export const NOTE_PATH = new RegExp(`(?<![\\w.:-])/notes/(${idPattern('note')})`, 'g');
/** What some file system does not allow in a name. */
export const FORBIDDEN = /[\\/:*?"<>|\p{Cc}]/gu;

/** The ids of the attachments that a note refers to. */
export function filesOf({ content }: Pick<ExportedNote, 'content'>): string[] {
  return [...content.matchAll(FILE_PATH)].map(([, id = '']) => id);
}

/** The ids of the notes that a note links to by their URLs. */
export function linkedNotesOf({ content }: Pick<ExportedNote, 'content'>): string[] {
  return [...content.matchAll(NOTE_PATH)].map(([, id = '']) => id);
}

/** The relative path from a file to the top of the archive. */
export function toRoot(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}

export function pathOfFile(id: string, name: string): string {
  return `attachments/${id}-${name.replaceAll(FORBIDDEN, '_')}`;
}

/** As it is where it could only be imported into a larger plan afterwards. */
function withPresentTitles(content: string, titles: ReadonlyMap<string, string>): string {
  const retitled = retitleLinks(content, titles);
  const { free, pro } = PLAN_LIMITS;
  const isLarge = Buffer.byteLength(content) > free.noteSizeBytes;
  const { noteSizeBytes } = isLarge ? pro : free;
  return Buffer.byteLength(retitled) > noteSizeBytes ? content : retitled;
}

/**
 * A note as a file: YAML front matter, then its text, in which paths of attachments are relative.
 *
 * @param file.path of the file
 * @param file.paths of attachments by their ids
 * @param file.links ids of linked notes as they are exported, where they are others
 * @param file.titles present titles of linked notes by the former ones that the text has
 */
export function toMarkdown(
  note: Omit<ExportedNote, 'sourceId'>,
  {
    path: notePath,
    paths,
    links,
    titles,
  }: {
    path: string;
    paths: ReadonlyMap<string, string>;
    links: ReadonlyMap<string, string>;
    titles: ReadonlyMap<string, string>;
  },
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
  const content = withPresentTitles(note.content, titles)
    .replaceAll(FILE_PATH, (url, fileId: string) => {
      const path = paths.get(fileId);
      return path === undefined ? url : `${toRoot(notePath)}${encodeURI(path)}`;
    })
    .replaceAll(NOTE_PATH, (_url, noteId: string) => `/notes/${links.get(noteId) ?? noteId}`);
  return `---\n${stringify(properties, { lineWidth: 0 })}---\n${content}`;
}
