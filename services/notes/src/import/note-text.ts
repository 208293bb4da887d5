import { posix } from 'node:path';
import { tagsIn } from './links.ts';
import type { NoteFile } from './note-file.ts';

interface NoteText {
  title: string;
  tags: string[];
  content: string;
}

const TITLE_MAX = 200;
const TAG_MAX = 50;
const TAGS_MAX = 20;
/** Notion adds the id of the page to the name of its file and of the folder below it. */
const NOTION_ID = /[ _][0-9a-f]{32}$/;
const HEADING = /^# (.+)\r?\n(?:\r?\n)?/;

/** The title, tags and text of a note as its file, or else its path, says them. */
export function textOf(file: NoteFile, path: string, isExport: boolean): NoteText {
  const { content, title } = file;
  const name = posix.basename(path).replace(/\.\w+$/, '');
  if (isExport) return { title: cut(title ?? name, TITLE_MAX), tags: fitting(file.tags), content };
  const tags = fitting([...file.tags, ...tagsIn(content, TAGS_MAX), ...folderTag(path)]);
  const [heading, headline] = NOTION_ID.test(name) ? (HEADING.exec(content) ?? []) : [];
  return {
    title: cut(title ?? headline ?? name.replace(NOTION_ID, ''), TITLE_MAX) || 'Untitled',
    tags,
    content: content.slice(heading?.length ?? 0),
  };
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
