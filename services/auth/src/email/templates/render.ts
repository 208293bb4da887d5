import type { EmailContent, EmailLinks, EmailText, Recipient } from './content.ts';
import { htmlDocument } from './html.ts';

/** A message without its language: its plain text and its HTML are both made from these blocks. */
export type Block =
  | { kind: 'paragraph' | 'closing'; text: string }
  | { kind: 'facts'; facts: [string, string][] }
  | { kind: 'button' | 'secondary'; label: string; url: string };

/** Line breaks are removed: in plain text, one in a name would start a new paragraph. */
export function renderEmail(
  { email: to, language }: Pick<Recipient, 'email' | 'language'>,
  text: EmailText,
  links: EmailLinks,
): EmailContent {
  const { subject } = text;
  const blocks = blocksOf(text, links);
  return {
    to,
    subject,
    text: `${blocks.map(plainText).join('\n\n')}\n`,
    html: htmlDocument(language, subject, blocks),
    link: links.button ?? null,
  };
}

function blocksOf(text: EmailText, links: EmailLinks): Block[] {
  const link = (kind: 'button' | 'secondary'): Block[] => {
    const [label, url] = [text[kind], links[kind]];
    return label === undefined || url === undefined ? [] : [{ kind, label, url }];
  };
  const { paragraphs, facts, closing } = text;
  return [
    ...paragraphs.map((each): Block => ({ kind: 'paragraph', text: toOneLine(each) })),
    ...(facts === undefined
      ? []
      : [
          {
            kind: 'facts' as const,
            facts: facts.map(([label, value]): [string, string] => [label, toOneLine(value)]),
          },
        ]),
    ...link('button'),
    ...(closing === undefined ? [] : [{ kind: 'closing' as const, text: toOneLine(closing) }]),
    ...link('secondary'),
  ];
}

function plainText(block: Block): string {
  switch (block.kind) {
    case 'facts':
      return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'button':
    case 'secondary':
      return `${block.label}:\n${block.url}`;
    default:
      return block.text;
  }
}

/** Nor does what another account has written turn the rest of its line around. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}
