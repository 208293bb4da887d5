import { posix } from 'node:path';
import { tagsIn } from './links.ts';
import type { NoteFile } from './note-file.ts';

interface NoteText {
  title: string;
  content: string;
}

const TITLE_MAX = 200;
const TAG_MAX = 50;
const TAGS_MAX = 20;
/** Notion adds the id of the page to the name of its file and of the folder below it. */
const NOTION_ID = /[ _][0-9a-f]{32}$/;
const HEADING = /^(?:\r?\n)*# (.+)(?:\r?\n|$)(?:\r?\n)?/;

/** The title and text of a note as its file, or else its path, says them. */
export function textOf(file: NoteFile, path: string, isExport: boolean): NoteText {
  const { content } = file;
  const name = posix.basename(path).replace(/\.\w+$/, '');
  if (isExport) return { title: cut(file.title ?? name, TITLE_MAX), content };
  const isOfNotion = NOTION_ID.test(name);
  const [heading = '', headline] = HEADING.exec(content) ?? [];
  const title = file.title ?? (isOfNotion ? headline : undefined) ?? name.replace(NOTION_ID, '');
  // The page of a note shows its title above the text.
  const isTitleAgain = headline?.trim().normalize() === title.normalize();
  return {
    title: cut(title, TITLE_MAX) || 'Untitled',
    content: isOfNotion || isTitleAgain ? content.slice(heading.length) : content,
  };
}

/** @param hasParent whether its folder is the note above it, and so no tag */
export function tagsOf(
  file: NoteFile,
  path: string,
  { isExport, hasParent }: { isExport: boolean; hasParent: boolean },
): string[] {
  if (isExport) return fitting(file.tags);
  const folder = hasParent ? [] : folderTag(path);
  return fitting([...file.tags, ...tagsIn(file.content, TAGS_MAX), ...folder]);
}

/** The folders of a note as one nested tag. */
function folderTag(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  const tag = folders.map((folder) => folder.replace(NOTION_ID, '')).join('/');
  return [tag.length > TAG_MAX ? (tag.split('/').at(-1) ?? '') : tag];
}

function fitting(tags: readonly string[]): string[] {
  const short = tags.map((tag) => cut(tag, TAG_MAX)).filter((tag) => tag !== '');
  return [...new Set(short)].slice(0, TAGS_MAX);
}

/** A copy of the first characters of a text, without NUL, which Postgres does not store. */
export function cut(text: string, maxLength: number): string {
  const units = text.replaceAll('\0', '').slice(0, 2 * maxLength);
  return Array.from(units).slice(0, maxLength).join('');
}
