import { posix } from 'node:path';

/** A link to another file of the archive, as Markdown or Obsidian writes it. */
export interface LocalLink {
  /** The path or name that it names, decoded, without an anchor. */
  target: string;
  /** Text to show; undefined in a Markdown link, of which only the address is replaced. */
  label?: string;
  isEmbedded?: boolean;
  /** `[[Target]]` and nothing else. */
  isPlain?: boolean;
}

/** Fenced and inline code, in which nothing is a link or a tag. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/;
const MARKDOWN_LINK = /\]\((?:<([^<>\n]*)>|((?:[^\s()<>]|\([^\s()<>]*\))+))/g;
const WIKI_LINK = /(!?)\[\[([^[\]|#\n]+)(#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g;
const TAG = /(?<=^|\s)#([\p{L}\p{N}_/-]+)/gu;
/** With a scheme, from the root of a site, or within the same page. */
const NOT_LOCAL = /^(?:[a-z][a-z0-9+.-]*:|[/#])/i;

function outsideCode(text: string, change: (part: string) => string): string {
  const parts = text.split(CODE);
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join('');
}

/** @param rewrite what takes the place of a link's address, or of a wiki link; undefined leaves it as it is */
export function rewriteLinks(
  text: string,
  rewrite: (link: LocalLink) => string | undefined,
): string {
  return outsideCode(text, (part) =>
    part
      .replaceAll(MARKDOWN_LINK, (whole, bracketed?: string, bare?: string) => {
        const target = decodeTarget(bracketed ?? bare ?? '');
        const address = target && rewrite({ target });
        return address ? `](${address}` : whole;
      })
      .replaceAll(
        WIKI_LINK,
        (whole, mark: string, target: string, anchor?: string, alias?: string) => {
          const isPlain = mark === '' && anchor === undefined && alias === undefined;
          const isSize = alias !== undefined && /^\d+(x\d+)?$/.test(alias);
          const label = alias === undefined || isSize ? target : alias;
          return rewrite({ target, label, isEmbedded: mark !== '', isPlain }) ?? whole;
        },
      ),
  );
}

function decodeTarget(address: string): string | undefined {
  if (NOT_LOCAL.test(address)) return undefined;
  const [path = ''] = address.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The `#tags` of a text. */
export function tagsIn(text: string): string[] {
  const tags: string[] = [];
  outsideCode(text, (part) => {
    // One of digits alone numbers something.
    for (const [, tag = ''] of part.matchAll(TAG)) if (/\p{L}/u.test(tag)) tags.push(tag);
    return part;
  });
  return tags;
}

/**
 * Finds what a link names: from the folder of the note, from the root, and like Obsidian by the name
 * alone, each also without `.md`.
 */
export function createLinkResolver<File extends { path: string }>(files: readonly File[]) {
  const byPath = new Map(files.map((file) => [file.path.normalize(), file]));
  const byName = new Map<string, File>();
  for (const [path, file] of byPath) {
    const name = posix.basename(path).toLowerCase();
    if (!byName.has(name)) byName.set(name, file);
  }
  return (from: string, target: string): File | undefined => {
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
