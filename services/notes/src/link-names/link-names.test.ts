import { expect, test, vi } from 'vitest';
import { linkNamesOf } from './link-names.ts';

const ID = `note_${'0'.repeat(26)}`;

test.each([
  ['titles in any letter case', 'See [[ Plans ]] and [[PLANS]], [[Über]]', ['plans', 'über']],
  ['a title with other words', '[[Plans|what we do]]', ['plans']],
  ['several in one line', '[[a]][[b]] [[c]]', ['a', 'b', 'c']],
  [
    'URLs, relative and whole',
    `[x](/notes/${ID}) https://a.example/notes/${ID}?view=split`,
    [`/notes/${ID}`],
  ],
  ['no URL of the API or of another thing', `/api/notes/${ID} /notes/${ID}0 /notes/x`, []],
  ['nothing empty, open or over lines', '[[]] [[ ]] [[a] [[b\n]] [[|c]]', []],
  ['nothing within code', '`[[a]]` ``[[b]]`` [[c]]\n```sh\n[[ -f d ]]\n```\n[[e]]', ['c', 'e']],
  ['what follows a backtick alone', 'It`s [[a]]', ['a']],
])('finds %s', (_what, content, names) => {
  expect(linkNamesOf(content)).toEqual(names);
});

test('finds 200 links and no more, in any text in linear time', () => {
  const many = Array.from({ length: 300 }, (_, n) => `[[${n}]]`).join(' ');
  expect(linkNamesOf(many)).toHaveLength(200);
  for (const sign of ['[', '[[', '[[a|', '`', '[[a ', '``a', '/notes/note_', '~~~\n']) {
    expect(linkNamesOf(sign.repeat(500_000 / sign.length)).length).toBeLessThan(2);
  }
});

test('searches a text as a whole, not each of half a million lines', () => {
  using searched = vi.spyOn(String.prototype, 'matchAll');
  expect(linkNamesOf('[[\n'.repeat(170_000))).toEqual([]);
  expect(searched.mock.calls.length).toBeLessThan(10);
});
