import { TITLE_LINK } from '@atrium/contracts/notes/title-link';
import MarkdownIt, { type StateCore, type StateInline, type Token } from 'markdown-it';

/** A URL is defined once and used by thousands of links: those beyond this sum have none. */
const URLS_MAX_CHARACTERS = 1_000_000;
/** A note that has become as many tokens has no further table. */
const TABLES_MAX_TOKENS = 200_000;

/**
 * Linear in the length of a note, whatever is in it, which not every Markdown library is. Raw HTML is shown
 * as text, and a line ends where it was ended, as where the note is written.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
markdown.core.ruler.push('atrium', (state) => {
  let urlsLeft = URLS_MAX_CHARACTERS;
  for (const [index, token] of state.tokens.entries()) {
    adaptBlock(token);
    if (token.type !== 'inline') continue;
    urlsLeft = limitUrls(token, urlsLeft);
    placeAttachments(token, state);
    linkImages(token, state);
    const item = state.tokens[index - 2];
    if (item?.type === 'list_item_open') markTask(item, token, state);
  }
});
// The page does not scroll sideways; a wide table does, also by keyboard.
markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
// Rows that are too short are filled with cells, for each table anew: only so much is made of a note.
const [table] = markdown.block.ruler.getRules('');
if (table === undefined) throw new Error('Markdown has no tables');
markdown.block.ruler.at(
  'table',
  (state, ...lines) => state.tokens.length < TABLES_MAX_TOKENS && table(state, ...lines),
  { alt: ['paragraph', 'reference'] },
);
markdown.inline.ruler.before('link', 'title_link', linkTitle);

const TITLE_LINK_HERE = new RegExp(TITLE_LINK, 'y');

/** The id of the note that a title means; undefined when there is none. */
type FindNote = (title: string) => string | undefined;

/**
 * HTML of a note, the same for its readers and on the public page. It is not sanitised: pass it
 * through a sanitiser before it is shown.
 */
export function renderMarkdown(content: string, env: RenderEnvironment = {}): string {
  return markdown.render(content, env);
}

type RenderEnvironment = {
  /** What the URLs of attachments begin with, where the page may show them. */
  attachmentsAt?: string;
  /** Without it the titles of other notes are plain text. */
  findNote?: FindNote;
  /** What is said of a title that no note has. */
  missingNote?: string;
};

const ATTACHMENT = /^\/api\/attachments\/(fil_[0-9a-z]{26})\/content$/;

/** @returns how many characters are left for the URLs and titles of the next block */
function limitUrls({ children }: Token, left: number): number {
  let rest = left;
  for (const token of children ?? []) {
    if (token.type !== 'link_open' && token.type !== 'image') continue;
    for (const [, value] of token.attrs ?? []) rest -= String(value).length;
    if (rest < 0) token.attrs = null;
  }
  return rest;
}

/** Images and links to attachments lead to where the page has them. */
function placeAttachments({ children }: Token, { env }: StateCore): void {
  const { attachmentsAt } = env;
  if (typeof attachmentsAt !== 'string') return;
  for (const token of children ?? []) {
    const attribute = token.type === 'image' ? 'src' : 'href';
    const [, id] = ATTACHMENT.exec(String(token.attrGet(attribute))) ?? [];
    if (id === undefined) continue;
    token.attrSet(attribute, attachmentsAt + id);
    token.meta = { isOwn: true };
  }
}

/** A title that no note has yet is marked. */
function linkTitle(state: StateInline, silent: boolean): boolean {
  TITLE_LINK_HERE.lastIndex = state.pos;
  const [all, title = '', words = title] = TITLE_LINK_HERE.exec(state.src) ?? [];
  if (all === undefined) return false;
  state.pos += all.length;
  if (silent) return true;
  const { findNote, missingNote = '' } = state.env as RenderEnvironment;
  const id = findNote?.(title.trim());
  const tag = id === undefined ? 'span' : 'a';
  if (findNote !== undefined) {
    const open = state.push('title_link_open', tag, 1);
    if (id !== undefined) open.attrs = [['href', `/notes/${id}`]];
    else open.attrs = Object.entries({ class: 'missing', title: missingNote });
  }
  state.push('text', '', 0).content = words;
  if (findNote !== undefined) state.push('title_link_close', tag, -1);
  return true;
}

function adaptBlock(token: Token): void {
  // The title of the note is the only h1.
  if (token.type.startsWith('heading_')) {
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
  }
  // The policies of the pages allow no style attributes.
  const style = token.attrGet('style');
  if (style !== null) token.attrs = [['class', String(style).replace('text-align:', 'align-')]];
}

/** An image of another site would tell that site who reads the note and when. */
function linkImages(block: Token, { Token: NewToken, md, env }: StateCore): void {
  let linkDepth = 0;
  block.children = (block.children ?? []).flatMap((token) => {
    if (token.type.startsWith('link_')) linkDepth += token.nesting;
    if (token.type !== 'image' || token.meta?.isOwn === true) return [token];
    const url = String(token.attrGet('src') ?? '');
    const text = new NewToken('text', '', 0);
    text.content = md.renderer.renderInlineAsText(token.children ?? [], md.options, env) || url;
    if (linkDepth > 0 || url === '') return [text];
    const open = new NewToken('link_open', 'a', 1);
    open.attrs = [['href', url]];
    // The page of a member fetches these and shows them.
    if (url.startsWith('/api/attachments/')) open.attrSet('class', 'image');
    return [open, text, new NewToken('link_close', 'a', -1)];
  });
}

/** `- [x] done` is a box, and its text names the box. */
function markTask(item: Token, { children }: Token, { Token: NewToken }: StateCore): void {
  const [first] = children ?? [];
  const mark = first?.type === 'text' ? /^\[[ xX]\] /.exec(first.content)?.[0] : undefined;
  if (first === undefined || mark === undefined) return;
  first.content = first.content.slice(mark.length);
  item.attrJoin('class', 'task');
  const open = new NewToken('html_inline', '', 0);
  open.content = `<label><input type="checkbox" disabled${mark === '[ ] ' ? '' : ' checked'}> `;
  const close = new NewToken('html_inline', '', 0);
  close.content = '</label>';
  children?.unshift(open);
  children?.push(close);
}
