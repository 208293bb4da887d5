import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOf } from './words.ts';
import { beginningOf, snippetOf } from './snippet.ts';

/** Matches the given words, each as a word of the query. */
function matching(...words: string[]) {
  return (word: string) => {
    const index = words.indexOf(word);
    return index < 0 ? undefined : index;
  };
}

describe('snippetOf', () => {
  test('wraps the matched words and returns null when there are none', () => {
    expect(snippetOf('The Café is open', matching('cafe'))).toBe('The **Café** is open');
    expect(snippetOf('The café is open', matching('bar'))).toBe(null);
  });

  test.each([
    ['# Tulips\n\n- plant them', '**Tulips** plant them'],
    ['see ![the tulips](https://example.com/a.png) now', 'see the **tulips** now'],
    ['**tulips** and _tulips_ and `tulips`', '**tulips** and **tulips** and **tulips**'],
    ['<script>alert("tulips")</script>', 'alert("**tulips**")'],
    ['a < b, tulips > c', 'a ‹ b, **tulips** › c'],
    ['```js\ntulips\n```', '**tulips**'],
    ['> quoted tulips\n1. [x] done', 'quoted **tulips** done'],
    ['| a | b |\n|---|:-:|\n| tulips | 2 |', 'a b **tulips** 2'],
    ['red\n\n---\n\n- - -\ntulips\n===\n', 'red **tulips**'],
    ['snake_case tulips', 'snake_case **tulips**'],
  ])('shows %j as plain text', (markdown, expected) => {
    expect(snippetOf(markdown, matching('tulips'))).toBe(expected);
  });

  test('shows the part with the most different words', () => {
    const filler = 'filler '.repeat(100);
    const text = `red ${filler} red ${filler} red and blue ${filler}`;
    const snippet = snippetOf(text, matching('red', 'blue'));
    expect(snippet).toContain('**red** and **blue**');
    expect(snippet).toMatch(/^…filler .*filler…$/);
  });

  test('marks words of languages without spaces', () => {
    expect(snippetOf('昨日は東京都で寿司を食べました。', matching('寿司'))).toContain('**寿司**');
  });

  test('is bounded when one word is 50 KB long', () => {
    const snippet = snippetOf(`short ${'x'.repeat(50_000)}`, matching('short'));
    expect(snippet?.length).toBeLessThan(200);
  });

  test('has balanced marks, no syntax and only whole words, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'word',
        'Wörter',
        '東京',
        '*',
        '**',
        '_',
        '[',
        '](',
        ')',
        '<b>',
        '`',
        '\n# ',
        '\\',
        '![',
        '|',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '));
    fc.assert(
      fc.property(markdown, (text) => {
        const snippet = snippetOf(text, matching('word')) ?? beginningOf(text);
        const parts = snippet.split('**');
        expect(parts.length % 2).toBe(1);
        expect(parts.join('')).not.toMatch(/[*`<>[\]\\]/);
        for (const marked of parts.filter((_, index) => index % 2 === 1)) {
          expect([...wordsOf(marked)].map(({ word }) => word)).toEqual(['word']);
        }
      }),
    );
  });
});
