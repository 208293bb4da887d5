import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conflictsOf, mergeTexts, resolveMerge } from '../browser/notes/saving/merge.ts';
import { compareWords, type Words } from '../browser/notes/saving/compare-words.ts';
import type { NoteText } from '../browser/notes/saving/note-text.ts';

const note = (content: string, rest: Partial<NoteText> = {}): NoteText => ({
  title: 'Plans',
  content,
  tags: [],
  pinned: false,
  ...rest,
});

test('keeps what both have written in different places', () => {
  const merge = mergeTexts(note('one\ntwo\nthree'), note('ONE\ntwo\nthree'), note('one\ntwo\n3'));
  expect(conflictsOf(merge)).toEqual([]);
  expect(resolveMerge(merge, []).content).toBe('ONE\ntwo\n3');
});

test.each([
  ['two paragraphs', 'a\n\nb\n\nc', 'A\n\nb\n\nc', 'a\n\nB\n\nc', 'A\n\nB\n\nc'],
  ['a heading and its text', '# a\n\nb', '# A\n\nb', '# a\n\nb, B', '# A\n\nb, B'],
  ['a blank line and what follows', 'a\n\nb', '\na\n\nb', 'a\n\nb\n\nc', '\na\n\nb\n\nc'],
  ['an item each', '- a\n- b', '- a\n- me\n- b', '- a\n- you\n- b', '- a\n- me\n- you\n- b'],
  ['a paragraph each', 'a', 'a\n\nme', 'a\n\nyou', 'a\n\nme\n\nyou'],
  ['the first words of a note', '', 'me', 'you', 'me\nyou'],
  [
    'an item that has only begun',
    '- a\n- [ ] ',
    '- a\n- [ ] me',
    '- a\n- [ ] you',
    '- a\n- [ ] me\n- [ ] you',
  ],
  ['an item, and one that has only begun', '1. a', '1. a\n2. me', '1. a\n2. ', '1. a\n2. me\n2. '],
  ['the end of a line and the line below', 'a', 'a, me', 'a\nyou', 'a, me\nyou'],
  ['the line below and the end of a line', 'a', 'a\nme', 'a, you', 'a, you\nme'],
])('keeps what both have written beside each other: %s', (_what, base, mine, theirs, merged) => {
  const merge = mergeTexts(note(base), note(mine), note(theirs));
  expect(conflictsOf(merge)).toEqual([]);
  expect(resolveMerge(merge, []).content).toBe(merged);
});

test.each([
  ['words beside each other', 'a b c', 'A b c', 'a B c', 'A B c'],
  [
    'a word and what follows it',
    'three of them',
    'three of them and four',
    '3 of them',
    '3 of them and four',
  ],
  [
    'a word of a list and its box',
    '- [ ] buy milk',
    '- [x] buy milk',
    '- [ ] buy oat',
    '- [x] buy oat',
  ],
])('keeps what both have written in one line: %s', (_what, base, mine, theirs, merged) => {
  const merge = mergeTexts(
    note(base, { title: base }),
    note(mine),
    note(theirs, { title: theirs }),
  );
  expect(resolveMerge(merge, []).content).toBe(merged);
  const titles = mergeTexts(
    note('', { title: base }),
    note('', { title: mine }),
    note('', { title: theirs }),
  );
  expect(conflictsOf(titles)).toEqual([]);
  expect(resolveMerge(titles, []).title).toBe(merged);
});

test('asks where both have changed the same word, or have added at the same place of a line', () => {
  for (const [mine, theirs] of [
    ['a mine c', 'a theirs c'],
    ['a b c mine', 'a b c theirs'],
    ['', 'a b theirs'],
  ] as const) {
    const merge = mergeTexts(note('a b c'), note(mine), note(theirs));
    expect(conflictsOf(merge)).toEqual([
      { kind: 'conflict', base: ['a b c'], mine: [mine], theirs: [theirs] },
    ]);
  }
});

test('asks about new lines that begin alike: they may be the same ones', () => {
  const merge = mergeTexts(note('a'), note('a\nnew, and more'), note('a\nnew\nother'));
  expect(conflictsOf(merge)).toEqual([
    { kind: 'conflict', base: [], mine: ['new, and more'], theirs: ['new', 'other'] },
  ]);
});

test('never asks about different words of a text, and loses none', () => {
  const edits = fc.array(fc.constantFrom('mine', 'theirs', null), { minLength: 1, maxLength: 20 });
  const gaps = fc.array(fc.constantFrom(' ', '\n', ', ', '\n\n'), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(edits, gaps, (sides, between) => {
      const write = (...shown: (string | null)[]) =>
        sides
          .map((side, at) => `${shown.includes(side) ? side : 'word'}${at}${between[at]}`)
          .join('');
      const merge = mergeTexts(note(write()), note(write('mine')), note(write('theirs')));
      expect(conflictsOf(merge)).toEqual([]);
      expect(resolveMerge(merge, []).content).toBe(write('mine', 'theirs'));
    }),
  );
});

test('never loses a word that one of them has added', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(words, words, words, fc.nat(8), fc.nat(8), (base, start, end, at, other) => {
      const mine = [...base.slice(0, at), 'mine', ...start, ...base.slice(at)].join(' ');
      const theirs = [...base.slice(0, other), 'theirs', ...end, ...base.slice(other)].join(' ');
      const { content } = resolveMerge(
        mergeTexts(note(base.join(' ')), note(mine), note(theirs)),
        [],
      );
      expect(content.split(/\s/)).toEqual(expect.arrayContaining(['mine', 'theirs']));
    }),
  );
});

test('has no conflict when both have made the same change', () => {
  const merge = mergeTexts(note('one'), note('two'), note('two'));
  expect(resolveMerge(merge, [])).toEqual(note('two'));
  expect(conflictsOf(merge)).toEqual([]);
});

test('takes each colliding part as it was chosen, and both without a choice', () => {
  const base = note('a\nmiddle\nb', { title: 'Old' });
  const mine = note('mine\nmiddle\nours', { title: 'Mine' });
  const theirs = note('theirs\nmiddle\nyours', { title: 'Theirs' });
  const merge = mergeTexts(base, mine, theirs);
  expect(conflictsOf(merge)).toHaveLength(3);
  expect(resolveMerge(merge, ['theirs', 'mine', 'both'])).toEqual(
    note('mine\nmiddle\nours\nyours', { title: 'Theirs' }),
  );
  expect(resolveMerge(merge, []).content).toBe('mine\ntheirs\nmiddle\nours\nyours');
});

test('merges tags one by one, and the pin', () => {
  const base = note('', { tags: ['kept', 'removed here', 'removed there'] });
  const mine = note('', { tags: ['kept', 'removed there', 'new here'], pinned: true });
  const theirs = note('', { tags: ['kept', 'removed here', 'new there'] });
  expect(resolveMerge(mergeTexts(base, mine, theirs), [])).toEqual(
    note('', { tags: ['kept', 'new there', 'new here'], pinned: true }),
  );
});

test('never loses a line that one of them has added', () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, lines, fc.nat(8), fc.nat(8), (base, start, end, at, other) => {
      const mine = [...base.slice(0, at), 'mine', ...start, ...base.slice(at)];
      const theirs = [...base.slice(0, other), 'theirs', ...end, ...base.slice(other)];
      const [a, b, c] = [base, mine, theirs].map((text) => note(text.join('\n')));
      if (a === undefined || b === undefined || c === undefined) return;
      const { content } = resolveMerge(mergeTexts(a, b, c), []);
      expect(content.split('\n')).toEqual(expect.arrayContaining(['mine', 'theirs']));
    }),
  );
});

test('marks the words in which two versions differ, quickly in a long line too', () => {
  const shown = (words: Words) =>
    words.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
  const { mine, theirs } = compareWords('three of them and four', '3 of them');
  expect([shown(mine), shown(theirs)]).toEqual(['[three] of them[ and four]', '[3] of them']);
  expect(compareWords('', 'all new')).toEqual({
    mine: [],
    theirs: [{ text: 'all new', isChanged: true }],
  });
  const line = 'the end of the beginning '.repeat(2000);
  const long = compareWords(`so ${line}mine end`, `so theirs ${line}end`);
  expect(shown(long.mine)).toBe(`so[ ${line}mine] end`);
});

test('brings a note of many paragraphs together while one waits', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `Paragraph ${index}`);
  const write = (all: string[]) => note(all.join('\n\n'));
  const merge = mergeTexts(
    write(lines),
    write(lines.with(10, 'mine')),
    write(lines.with(-10, 'theirs')),
  );
  expect(conflictsOf(merge)).toEqual([]);
  expect(resolveMerge(merge, [])).toEqual(write(lines.with(10, 'mine').with(-10, 'theirs')));
});
