import { TITLE_LINK } from '@atrium/contracts/notes/title-link';
import type { SyntaxNode } from '@lezer/common';
import { GFM, type MarkdownConfig, parser } from '@lezer/markdown';

const TITLE_LINK_HERE = new RegExp(TITLE_LINK, 'y');
/** The longest that the pattern can match. */
const TITLE_LINK_LENGTH = 405;
const BRACKET = 91;

/** `[[Title]]` and `[[Title|other words]]`; all but the words are marks. */
const titleLinks: MarkdownConfig = {
  defineNodes: ['TitleLink', 'TitleLinkMark'],
  parseInline: [
    {
      name: 'TitleLink',
      before: 'Link',
      parse(context, next, start) {
        if (next !== BRACKET || context.char(start + 1) !== BRACKET) return -1;
        TITLE_LINK_HERE.lastIndex = 0;
        const text = context.slice(start, Math.min(context.end, start + TITLE_LINK_LENGTH));
        const [all, title = '', words = title] = TITLE_LINK_HERE.exec(text) ?? [];
        if (all === undefined) return -1;
        const end = start + all.length;
        const wordsEnd = end - 2;
        const marks = [
          context.elt('TitleLinkMark', start, wordsEnd - words.length),
          context.elt('TitleLinkMark', wordsEnd, end),
        ];
        return context.addElement(context.elt('TitleLink', start, end, marks));
      },
    },
  ],
};

/** The Markdown that notes are written in. */
export const language = parser.configure([GFM, titleLinks]);

/** Parsed before a text is shown: more than a screen. The rest of a long one is parsed after the paint. */
export const PARSED_FIRST_CHARACTERS = 8_000;

/** The title in a link like `[[Title|other words]]`. */
export const titleOf = (link: string): string => link.slice(2, -2).split('|', 1)[0]?.trim() ?? '';

/** Whether a position of a text is in code, which is as it is typed. */
export function isCode(source: string, position: number): boolean {
  const inner = language.parse(source).resolveInner(position, -1);
  for (let node: SyntaxNode | null = inner; node !== null; node = node.parent) {
    if (['FencedCode', 'CodeBlock', 'InlineCode'].includes(node.name)) return true;
  }
  return false;
}
