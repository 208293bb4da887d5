import { expect, test } from 'vitest';
import { renderNote } from './rendered-note.ts';

const render = (content: string) => renderNote({ content, attachmentsAt: '/s/token/attachments/' });
const htmlOf = (content: string) => render(content).html.trim();

test('renders Markdown with headings below the title of the note', () => {
  expect(htmlOf('# Plans\n\nPlant **tulips**.')).toBe(
    '<h2>Plans</h2>\n<p>Plant <strong>tulips</strong>.</p>',
  );
});

test('shows raw HTML as text', () => {
  expect(htmlOf('<b onclick="x()">bold</b>')).toBe('<p>&lt;b onclick="x()"&gt;bold&lt;/b&gt;</p>');
});

test('links out without passing on a reference, and never to a script', () => {
  expect(htmlOf('[a](https://example.com) [b](javascript:alert(1))')).toBe(
    '<p><a href="https://example.com" rel="nofollow ugc noopener noreferrer">a</a> ' +
      '[b](javascript:alert(1))</p>',
  );
});

test('shows an image as a link, and only its text within a link', () => {
  expect(htmlOf('![A *cat*](https://a.example/cat.png)')).toMatch(
    /^<p><a href="https:\/\/a\.example\/cat\.png" rel="[^"]+">A cat<\/a><\/p>$/,
  );
  expect(htmlOf('[![logo](https://a.example/l.png)](https://b.example)')).toMatch(
    /^<p><a href="https:\/\/b\.example" rel="[^"]+">logo<\/a><\/p>$/,
  );
});

test('shows the titles of other notes as plain text', () => {
  expect(htmlOf('See [[Plans]] and [[Plans|*what* we do]]')).toBe(
    '<p>See Plans and *what* we do</p>',
  );
  expect(htmlOf('`[[Plans]]` [[]] [[a]')).toBe('<p><code>[[Plans]]</code> [[]] [[a]</p>');
});

test('shows tasks as boxes, named by their text, that cannot be ticked', () => {
  expect(htmlOf('- [ ] dig\n- [x] *plant*')).toBe(
    '<ul>\n<li class="task"><label><input type="checkbox" disabled /> dig</label></li>\n' +
      '<li class="task"><label><input type="checkbox" disabled checked /> <em>plant</em></label></li>\n</ul>',
  );
});

test('aligns the cells of a table without a style attribute', () => {
  const html = htmlOf('| a | b |\n|---|--:|\n| 1 | 2 |');
  expect(html).toContain('<td class="align-right">2</td>');
  expect(html).toContain('<div class="table" tabindex="0"><table>');
  expect(html).not.toContain('style');
});

test('stays small when a note has one long URL that thousands of links refer to', () => {
  const links = '[a]\n![][a]\n'.repeat(3000);
  const html = htmlOf(`[a]: https://a.example/${'|'.repeat(25_000)}\n\n${links}`);
  expect(html).toContain('<a href="https://a.example/%7C%7C');
  expect(html).toMatch(/a<\/a>\s*<br \/>\s*<\/p>$/);
  expect(html.length).toBeLessThan(3_000_000);
});

test('stays small when a note has many tables whose rows lack nearly all cells', () => {
  const table = `|${'a|'.repeat(181)}\n|${':-:|'.repeat(181)}\n${'|\n'.repeat(362)}\n`;
  const html = htmlOf(table.repeat(5));
  expect(html).toContain('<td class="align-center"></td>');
  expect(html.length).toBeLessThan(8_000_000);
});

test('describes a note by its beginning, cut between words', () => {
  const { description } = render(`# A & B\n\n"Some" ${'words '.repeat(50)}`);
  expect(description).toMatch(/^A &amp; B "Some" words .*words…$/);
  expect(description.length).toBeLessThanOrEqual(200);
  expect(render(`${'a'.repeat(198)} <b>`).description).toBe(`${'a'.repeat(198)}…`);
  expect(render(`# 計画\n\n${'日本語の長い文章です。'.repeat(30)}`).description).toHaveLength(201);
  expect(render(`a${'😀'.repeat(150)}`).description).toBe(`a${'😀'.repeat(99)}…`);
});

test('shows images of its own attachments, links other ones, and loads nothing from elsewhere', () => {
  const path = `/api/attachments/fil_${'0'.repeat(26)}/content`;
  const own = `/s/token/attachments/fil_${'0'.repeat(26)}`;
  expect(htmlOf(`![A <cat>](${path}) [the file](${path})`)).toBe(
    `<p><img src="${own}" alt="A &lt;cat&gt;" loading="lazy" /> ` +
      `<a href="${own}" rel="nofollow ugc noopener noreferrer">the file</a></p>`,
  );
  for (const url of [`https://a.example${path}`, `//a.example${path}`, `${path}/../x`]) {
    expect(htmlOf(`![A cat](${url})`)).not.toContain('<img');
  }
});
