import sanitizeHtml from 'sanitize-html';
import { renderMarkdown } from '../markdown/markdown.ts';

export interface RenderedNote {
  html: string;
  /** The beginning of the text, as HTML without elements. */
  description: string;
}

const DESCRIPTION_LENGTH = 200;
/** More than any note that people write becomes; sanitising takes several times its memory. */
const HTML_MAX_LENGTH = 8_000_000;
/** Characters of HTML; more than enough for the description. */
const BEGINNING_LENGTH = 5000;

const TAGS =
  'a blockquote br code div em h2 h3 h4 h5 h6 hr img input label li ol p pre s strong table tbody td th thead tr ul';
const ALIGNMENTS = ['align-left', 'align-center', 'align-right'];

/** What Markdown needs, and nothing that runs, styles, or loads from elsewhere. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    div: ['tabindex'],
    img: ['src', 'alt', 'title', 'loading'],
    input: ['type', 'disabled', 'checked'],
    ol: ['start'],
  },
  allowedClasses: { div: ['table'], li: ['task'], td: ALIGNMENTS, th: ALIGNMENTS },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc noopener noreferrer' }),
    img: sanitizeHtml.simpleTransform('img', { loading: 'lazy' }),
  },
};

export interface NoteSource {
  content: string;
  /** What the URLs of its attachments begin with. */
  attachmentsAt: string;
}

/** @throws Error when the note becomes too much HTML */
export function renderNote({ content, attachmentsAt }: NoteSource): RenderedNote {
  const rendered = renderMarkdown(content, { attachmentsAt });
  if (rendered.length > HTML_MAX_LENGTH) throw new Error('The HTML of the note is too long');
  const html = sanitizeHtml(rendered, ALLOWED);
  const beginning = sanitizeHtml(html.slice(0, BEGINNING_LENGTH), { allowedTags: [] });
  return { html, description: shorten(beginning.replaceAll(/\s+/g, ' ').trim()) };
}

/** Cuts between words, where a language has spaces, and never within an entity or an emoji. */
function shorten(text: string): string {
  if (text.length <= DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, DESCRIPTION_LENGTH).replace(/(&[^;]*|\s\S{0,40}|[\uD800-\uDBFF])$/, '')}…`;
}
