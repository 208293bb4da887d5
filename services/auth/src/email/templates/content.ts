import Type, { type Static } from 'typebox';

/** A rendered message. `link` is repeated on its own, for the log of a machine without SMTP. */
export const EmailContent = Type.Object({
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  link: Type.Union([Type.String(), Type.Null()]),
});
export type EmailContent = Static<typeof EmailContent>;

/** What a message says; its plain text and its HTML are both made from it. */
export interface EmailDraft {
  to: string;
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  closing?: string;
  /** A link below the closing. */
  secondaryAction?: { label: string; url: string };
}

/**
 * Renders plain text and HTML. Everything is escaped here, so that no template can forget it. Line
 * breaks are removed: in plain text, one in a name would start a new paragraph.
 */
export function renderEmail({
  to,
  subject,
  paragraphs,
  action,
  closing,
  secondaryAction,
}: EmailDraft): EmailContent {
  const lines = paragraphs.map(toOneLine);
  const end = closing === undefined ? [] : [toOneLine(closing)];
  const text = [
    ...lines,
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...end,
    ...(secondaryAction === undefined ? [] : [`${secondaryAction.label}:\n${secondaryAction.url}`]),
  ];
  const html = [
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(action === undefined ? [] : [link(action)]),
    ...end.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(secondaryAction === undefined ? [] : [link(secondaryAction)]),
  ];
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html:
      `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
      `<title>${escapeHtml(subject)}</title></head><body>\n${html.join('\n')}\n</body></html>\n`,
    link: action?.url ?? null,
  };
}

function link({ label, url }: { label: string; url: string }): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}

function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
