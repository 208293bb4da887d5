import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts } from './diff.ts';

const textOf = (side: 'added' | 'removed', from: string, to: string) =>
  compareTexts(from, to)
    .filter(({ kind }) => kind === 'same' || kind === side)
    .flatMap(({ parts }) => parts.map(({ text }) => text))
    .join('');

const line = fc.constantFrom('', 'a', 'b b', 'tulips and roses', 'tulips or roses', '\r', '🌷 é');
const text = fc
  .array(line, { maxLength: 12 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));

test('both texts can be put together from what is compared', () => {
  fc.assert(
    fc.property(text, text, (from, to) => {
      expect(textOf('removed', from, to)).toBe(from);
      expect(textOf('added', from, to)).toBe(to);
    }),
  );
});

test('shows lines that were added and removed, and the words that differ in a changed line', () => {
  const part = (words: string, isChanged = false) => ({ text: words, isChanged });
  expect(
    compareTexts('# Plan\nPlant red roses.\nWater.\n', '# Plan\nPlant blue roses.\nWater.\nRest.'),
  ).toEqual([
    { kind: 'same', parts: [part('# Plan\n')] },
    { kind: 'removed', parts: [part('Plant '), part('red', true), part(' roses.\n')] },
    { kind: 'added', parts: [part('Plant '), part('blue', true), part(' roses.\n')] },
    { kind: 'same', parts: [part('Water.\n')] },
    { kind: 'added', parts: [part('Rest.')] },
  ]);
});

test.each([
  ['- tea', '- tea\n- milk'],
  ['# Plan\n- tea', '# Plans\n- tea\n- milk\n'],
  ['- tea', '- bread\n- tea\n- milk'],
])('a last line is the same when others follow it: %j and %j', (short, long) => {
  for (const [from, to] of [
    [short, long],
    [long, short],
  ] as const) {
    expect([textOf('removed', from, to), textOf('added', from, to)]).toEqual([from, to]);
    const same = compareTexts(from, to).filter(({ kind }) => kind === 'same');
    expect(same).toEqual([{ kind: 'same', parts: [{ text: '- tea', isChanged: false }] }]);
  }
});

test('shows one change between the equal ends when too many lines differ', () => {
  const lines = (word: string) => Array.from({ length: 2000 }, (_, n) => `${word} ${n}\n`).join('');
  const [from, to] = [`first\n${lines('a')}last\n`, `first\n${lines('b')}last\n`];
  const blocks = compareTexts(from, to);
  expect(blocks[0]).toMatchObject({ kind: 'same', parts: [{ text: 'first\n' }] });
  expect(blocks.at(-1)).toMatchObject({ kind: 'same', parts: [{ text: 'last\n' }] });
  expect(blocks).toHaveLength(4002);
  expect(textOf('added', from, to)).toBe(to);
});

test('gives up within a bound where every line might be the same as many others', () => {
  const lines = (word: string) => Array.from({ length: 499 }, (_, n) => `${word} ${n}\n`).join('');
  const [from, to] = [
    `${'\n'.repeat(400_000)}${lines('a')}`,
    `${'\n'.repeat(400_000)}${lines('b')}`,
  ];
  expect([textOf('removed', from, to), textOf('added', from, to)]).toEqual([from, to]);
});

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('');

/** Each has 512,000 characters. */
const long = {
  'only empty lines': '\n'.repeat(512_000),
  'short lines': lines(64_000, (n) => `${String(n).padStart(7)}\n`),
  'other short lines': lines(64_000, (n) => `${String(n * 7).padStart(7)}\n`),
  'lines of short words': lines(2_560, () => `${'a '.repeat(99)}a\n`),
  'lines of other words': lines(2_560, (n) => `${'a b '.repeat(49)}${n % 10}--\n`),
};
const pairs = Object.keys(long).flatMap((from) =>
  ['', ...Object.keys(long)].filter((to) => to !== from).map((to) => [from, to]),
);

test.each(pairs)('takes little more than the two texts: %s and %s', (from, to) => {
  const texts = [long[from as keyof typeof long], long[to as keyof typeof long] ?? ''] as const;
  expect([textOf('removed', ...texts), textOf('added', ...texts)]).toEqual(texts);
  const sizes = [compareTexts(...texts), texts].map((value) => JSON.stringify(value).length);
  expect((sizes[0] ?? 0) - (sizes[1] ?? 0)).toBeLessThan(1_000_000);
});
