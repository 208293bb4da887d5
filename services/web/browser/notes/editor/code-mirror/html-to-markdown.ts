import Turndown from 'turndown';

const service = new Turndown({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '_',
});

service.addRule('item', {
  filter: 'li',
  replacement(content, node) {
    const { parentNode: list } = node;
    const isNumbered = list instanceof HTMLOListElement;
    const mark = isNumbered ? `${list.start + [...list.children].indexOf(node)}. ` : '- ';
    const box = node.querySelector<HTMLInputElement>(':scope > input[type=checkbox]');
    const task = box === null ? '' : `[${box.checked ? 'x' : ' '}] `;
    const lines = content.trim().replaceAll(/\n+/g, `\n${' '.repeat(mark.length)}`);
    return `${mark}${task}${lines}\n`;
  },
});

service.addRule('struck', {
  filter: ['del', 's'],
  replacement: (content) => `~~${content}~~`,
});

service.addRule('table', {
  filter: 'table',
  replacement(_content, node) {
    if (!(node instanceof HTMLTableElement)) return '';
    const rows = [...node.rows].map((row) => [...row.cells].map(cellText));
    const columns = Math.max(0, ...rows.map(({ length }) => length));
    // What is copied from one cell of a spreadsheet is a text.
    if (rows.length === 1 && columns === 1) return node.rows[0]?.cells[0]?.textContent ?? '';
    const line = (cells: string[]) =>
      `| ${Array.from({ length: columns }, (_, at) => cells[at] ?? '').join(' | ')} |`;
    const [header = [], ...others] = rows;
    const delimiter = Array.from({ length: columns }, () => '---');
    return `\n\n${[header, delimiter, ...others].map(line).join('\n')}\n\n`;
  },
});

const cellText = (cell: HTMLElement): string =>
  service
    .turndown(cell)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/(?<!\\)\|/g, String.raw`\|`);

/** What is copied from other pages, as Markdown. Nothing of it runs or is loaded: it is never in the page. */
export function htmlToMarkdown(html: string): string {
  // The policy of the page would report the styles.
  const plainHtml = html
    .replaceAll(/<style[^]*?<\/style>/gi, '')
    .replaceAll(/<[^>]*>/g, (tag) => tag.replaceAll(/\sstyle\s*=\s*("[^"]*"|'[^']*')/gi, ''));
  const { body } = new DOMParser().parseFromString(plainHtml, 'text/html');
  for (const unwanted of body.querySelectorAll('script, style, title, img[src^="data:"]')) {
    unwanted.remove();
  }
  // Google's documents are bold as a whole, in a style that takes it back.
  for (const plain of body.querySelectorAll('b[id^="docs-internal"]')) {
    plain.replaceWith(...plain.childNodes);
  }
  return service.turndown(body).replaceAll('\u00a0', ' ');
}
