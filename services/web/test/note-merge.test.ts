import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conflictsOf, mergeTexts, resolveMerge } from '../browser/notes/saving/merge.ts';
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
