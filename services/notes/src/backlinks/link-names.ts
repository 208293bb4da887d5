import { idPattern } from '@atrium/contracts/ids';
import { TITLE_LINK } from '@atrium/contracts/title-link';

/** Of one note; others in it are plain text. */
const LINKS_MAX = 200;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const TITLE_LINKS = new RegExp(TITLE_LINK, 'g');
/** Relative, or of any host: an id is of one note only. */
const NOTE_ADDRESS = new RegExp(`(?<!/api)/notes/(${idPattern('note')})(?![0-9a-z])`, 'g');

/** The name of a note as a link has it: letter case does not count. */
export function nameOf(title: string): string {
  return title.trim().toLowerCase();
}

/** What a text links to, each once: titles as names, and addresses as `/notes/{id}`. In code nothing is a link. */
export function linkNamesOf(content: string): string[] {
  const names = new Set<string>();
  let fence: string | undefined;
  for (const line of content.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark === undefined) {
      const text = withoutCode(line);
      for (const [, title = ''] of text.matchAll(TITLE_LINKS)) names.add(nameOf(title));
      for (const [, id = ''] of text.matchAll(NOTE_ADDRESS)) names.add(`/notes/${id}`);
    } else if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
  }
  names.delete('');
  return [...names].slice(0, LINKS_MAX);
}

/** A line without what stands between backticks. A last backtick without another one is text. */
function withoutCode(line: string): string {
  const parts = line.split(/`+/);
  const isText = (index: number) => index % 2 === 0 || index === parts.length - 1;
  return parts.filter((_, index) => isText(index)).join(' ');
}
