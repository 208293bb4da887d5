import { idPattern } from '@atrium/contracts/ids';
import { TITLE_LINK } from '@atrium/contracts/notes/title-link';

/** Links of one note; others in it are plain text. */
const LINKS_MAX = 200;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const TITLE_LINKS = new RegExp(TITLE_LINK, 'g');
const ONE_TITLE_LINK = new RegExp(`^${TITLE_LINK}$`);
/** Relative, or of any host: an id is of one note only. */
const NOTE_URL = new RegExp(`(?<!/api)/notes/(${idPattern('note')})(?![0-9a-z])`, 'g');

/** The name of a note as a link has it: letter case does not count. `note_name` in the database does the same for titles. */
export function nameOf(title: string): string {
  return title.trim().toLowerCase();
}

/** What a text links to, each once: titles as names, and URLs as `/notes/{id}`. In code nothing is a link. */
export function linkNamesOf(content: string): string[] {
  const names = new Set<string>();
  for (const name of linksIn(content)) {
    if (name !== '') names.add(name);
    if (names.size === LINKS_MAX) break;
  }
  return [...names];
}

function* linksIn(content: string): Generator<string> {
  const text = withoutCode(content);
  for (const [, title = ''] of text.matchAll(TITLE_LINKS)) yield nameOf(title);
  for (const [, id = ''] of text.matchAll(NOTE_URL)) yield `/notes/${id}`;
}

/**
 * Makes links by the former title of a note links by its present one, with the words that they show.
 *
 * @param titles present titles by the names that the links have
 */
export function retitleLinks(content: string, titles: ReadonlyMap<string, string>): string {
  const retitle = (link: string, name: string, words = name) => {
    const present = `[[${titles.get(nameOf(name))}|${words}]]`;
    // A link cannot have every title.
    return titles.has(nameOf(name)) && ONE_TITLE_LINK.test(present) ? present : link;
  };
  if (titles.size === 0) return content;
  return Array.from(linesOf(content), ({ line, isCode }) => {
    if (isCode || !line.includes('[[')) return line;
    const parts = line.split(/(`+)/);
    const isText = (index: number) => index % 4 === 0 || index === parts.length - 1;
    return parts
      .map((part, index) => (isText(index) ? part.replaceAll(TITLE_LINKS, retitle) : part))
      .join('');
  }).join('\n');
}

/** Searches it as one text: to search each of half a million short lines takes a second. */
function withoutCode(content: string): string {
  const lines: string[] = [];
  for (const { line, isCode } of linesOf(content)) {
    if (!isCode) lines.push(withoutCodeSpans(line));
  }
  return lines.join('\n');
}

/** The lines of a text, and whether they are part of a fenced block of code. */
function* linesOf(content: string): Generator<{ line: string; isCode: boolean }> {
  let fence: string | undefined;
  for (const line of content.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    const isClosing = fence !== undefined && mark?.startsWith(fence) === true;
    fence ??= mark;
    yield { line, isCode: fence !== undefined };
    if (isClosing) fence = undefined;
  }
}

/** A line without what stands between backticks. A last backtick without another one is text. */
function withoutCodeSpans(line: string): string {
  if (!line.includes('`')) return line;
  const parts = line.split(/`+/);
  const isText = (index: number) => index % 2 === 0 || index === parts.length - 1;
  return parts.filter((_, index) => isText(index)).join(' ');
}
