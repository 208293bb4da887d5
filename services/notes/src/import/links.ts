import { posix } from 'node:path';
import { yieldTurn } from '../yield-turn.ts';

/** A link to another file of the archive, as Markdown or Obsidian writes it. */
export interface LocalLink {
  /** The path or name that it names, decoded, without an anchor. */
  target: string;
  /** Text to show; undefined in a Markdown link, of which only the URL is replaced. */
  label?: string;
  isEmbedded?: boolean;
  /** `[[Target]]` and nothing else. */
  isPlain?: boolean;
}

/** Longer than any path in an archive, and so no link: without a limit a target can be as long as its note. */
const TARGET_MAX_LENGTH = 1024;
/** UTF-16 has one unit for up to three bytes, of which a URL has three characters each. */
const ENCODED_MAX_LENGTH = 9 * TARGET_MAX_LENGTH;
/** Fenced and inline code, in which nothing is a link or a tag. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/;
const LINK_START = /\[\[|\]\(/;
const MARKDOWN_LINK = /\]\((?:<([^<>\n]*)>|((?:[^\s()<>]|\([^\s()<>]*\))+))/g;
const WIKI_LINK = /(!?)\[\[([^[\]|#\n]+)(#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g;
const TAG = /(?<=^|\s)#([\p{L}\p{N}_/-]+)/gu;
/** With a scheme, from the root of a site, or within the same page. */
const NOT_LOCAL = /^(?:[a-z][a-z0-9+.-]*:|[/#])/i;

interface Replacement {
  text: string;
  /** How much of the text it replaces; by default the match. */
  length?: number;
}

/** Replaces matches in one pass. Other work runs in between, as a note may have 100,000 of them. */
export async function replaceEach(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => Replacement | undefined,
): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    await yieldTurn();
    const replacement = replace(match);
    if (replacement === undefined) continue;
    parts.push(text.slice(end, match.index), replacement.text);
    end = match.index + (replacement.length ?? match[0].length);
  }
  return parts.join('') + text.slice(end);
}

/** @param rewrite what takes the place of a link's URL, or of a wiki link; undefined leaves it as it is */
export async function rewriteLinks(
  text: string,
  rewrite: (link: LocalLink) => string | undefined,
): Promise<string> {
  const markdownLink = ([, bracketed, bare = '']: RegExpExecArray) => {
    const target = decodeTarget(bracketed ?? bare);
    const url = target && rewrite({ target });
    return url ? { text: `](${url}` } : undefined;
  };
  const wikiLink = ([, mark, target = '', anchor, alias]: RegExpExecArray) => {
    if (target.length > TARGET_MAX_LENGTH) return undefined;
    const isPlain = mark === '' && anchor === undefined && alias === undefined;
    const isSize = alias !== undefined && /^\d+(x\d+)?$/.test(alias);
    const label = alias === undefined || isSize ? target : alias;
    const link = rewrite({ target, label, isEmbedded: mark !== '', isPlain });
    return link === undefined ? undefined : { text: link };
  };
  const parts = text.split(CODE);
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1 || !LINK_START.test(part)) continue;
    const linked = await replaceEach(part, MARKDOWN_LINK, markdownLink);
    parts[index] = await replaceEach(linked, WIKI_LINK, wikiLink);
  }
  return parts.join('');
}

/** Undefined for what no file can be called. */
function decodeTarget(url: string): string | undefined {
  if (NOT_LOCAL.test(url)) return undefined;
  const [path = ''] = url.split(/[?#]/, 1);
  if (path.length > ENCODED_MAX_LENGTH) return undefined;
  let target = path;
  try {
    target = decodeURIComponent(path);
  } catch {
    // A percent sign may also be one.
  }
  return target.length > TARGET_MAX_LENGTH ? undefined : target;
}

/** The first `#tags` of a text, each once. */
export function tagsIn(text: string, max: number): string[] {
  const tags = new Set<string>();
  for (const [index, part] of text.split(CODE).entries()) {
    if (index % 2 === 1 || !part.includes('#')) continue;
    for (const [, tag = ''] of part.matchAll(TAG)) {
      // One of digits alone numbers something.
      if (/\p{L}/u.test(tag)) tags.add(tag);
      if (tags.size >= max) return [...tags];
    }
  }
  return [...tags];
}

/**
 * Finds the path that a link names: from the folder of the note, from the root, and like Obsidian by the name
 * alone, each also without `.md`.
 */
export function createLinkResolver(paths: Iterable<string>) {
  const byPath = new Map(Array.from(paths, (path) => [path.normalize(), path]));
  const byName = new Map<string, string>();
  for (const path of byPath.values()) {
    const name = posix.basename(path.normalize()).toLowerCase();
    if (!byName.has(name)) byName.set(name, path);
  }
  return (from: string, target: string): string | undefined => {
    const wanted = target.trim().normalize();
    const near = posix.join(posix.dirname(from.normalize()), wanted);
    // With a folder it is not a name.
    const name = wanted.includes('/') ? '' : wanted.toLowerCase();
    return (
      byPath.get(near) ??
      byPath.get(`${near}.md`) ??
      byPath.get(wanted) ??
      byPath.get(`${wanted}.md`) ??
      byName.get(name) ??
      byName.get(`${name}.md`)
    );
  };
}
