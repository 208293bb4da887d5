import type { Block } from './render.ts';

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/** In every element, because some clients drop `<style>`; the dark colours need it. */
const STYLES = {
  page: 'margin:0;padding:0;background:#f1f3f5',
  brand: `${FONT};font-size:18px;font-weight:700;line-height:24px;color:#3b5bdb;padding:0 4px 16px`,
  card: `${FONT};font-size:16px;line-height:24px;color:#212529;background:#ffffff;border:1px solid #dee2e6;border-radius:12px;padding:32px 32px 24px`,
  title: 'font-size:20px;font-weight:600;line-height:28px;margin:0 0 16px',
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  facts: 'margin:0 0 16px;border-collapse:collapse',
  label: 'padding:4px 16px 4px 0;color:#495057;vertical-align:top;white-space:nowrap',
  value: 'padding:4px 0;overflow-wrap:anywhere',
  button: `${FONT};display:inline-block;padding:12px 20px;border-radius:8px;background:#3b5bdb;color:#ffffff;font-size:16px;font-weight:600;line-height:20px;text-decoration:none`,
  closing: 'margin:0 0 8px;font-size:14px;line-height:20px;color:#495057',
  link: 'color:#3b5bdb',
};

const DARK = `
@media (prefers-color-scheme: dark) {
  .page { background: #1a1b1e !important }
  .card { background: #242529 !important; border-color: #3b3d42 !important; color: #e9ecef !important }
  .muted { color: #b5bac0 !important }
  .brand, .link { color: #91a7ff !important }
}
@media (max-width: 480px) { .card { padding: 24px 20px 16px !important } }
`;

/** One look for all messages. Everything is escaped here, so that no text can forget it. */
export function htmlDocument(language: string, subject: string, blocks: Block[]): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>:root { color-scheme: light dark }${DARK}</style></head>
<body class="page" style="${STYLES.page}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.page}"><tr>
<td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td class="brand" style="${STYLES.brand}">Atrium</td></tr>
<tr><td class="card" style="${STYLES.card}">
<h1 style="${STYLES.title}">${escapeHtml(subject)}</h1>
${blocks.map(htmlOf).join('\n')}
</td></tr></table></td></tr></table>
</body></html>
`;
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p style="${STYLES.paragraph}">${escapeHtml(block.text)}</p>`;
    case 'closing':
      return `<p class="muted" style="${STYLES.closing}">${escapeHtml(block.text)}</p>`;
    case 'facts':
      return `<table style="${STYLES.facts}">${block.facts.map(rowOf).join('')}</table>`;
    case 'button':
      return (
        `<p style="margin:24px 0"><a class="button" href="${escapeHtml(block.url)}" ` +
        `style="${STYLES.button}">${escapeHtml(block.label)}</a></p>`
      );
    case 'secondary':
      return (
        `<p style="${STYLES.closing}"><a class="link" href="${escapeHtml(block.url)}" ` +
        `style="${STYLES.link}">${escapeHtml(block.label)}</a></p>`
      );
  }
}

function rowOf([label, value]: [string, string]): string {
  return (
    `<tr><th class="muted" scope="row" align="left" style="font-weight:400;${STYLES.label}">` +
    `${escapeHtml(label)}:</th> <td style="${STYLES.value}">${escapeHtml(value)}</td></tr>`
  );
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
