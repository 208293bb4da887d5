import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyseNote, tagTerm } from './analysis.ts';
import { detectLanguage } from './languages.ts';
import { fold, wordsOf } from './words.ts';

function words(text: string): string[] {
  return [...wordsOf(text)].map(({ word }) => word);
}

describe('wordsOf', () => {
  test.each([
    ['Café au lait', ['cafe', 'au', 'lait']],
    ['Straße, Ærø und Łódź', ['strasse', 'aero', 'und', 'lodz']],
    ['ＡＢＣ １２３ ﬁne', ['abc', '123', 'fine']],
    ['snake_case kebab-case a.b', ['snake', 'case', 'kebab', 'case', 'a', 'b']],
    ['東京都で寿司', ['東京', '都', 'で', '寿司']],
    ['학교에서 हिन्दी', ['학교에서', 'हिन्दी']],
    ['ЁЛКА', ['елка']],
    ['', []],
  ])('splits %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('leaves out what folds to nothing: accents and tatweels without a letter', () => {
    const unit = fc.constantFrom('a', 'é', 'ـ', '\u0301', '東', ' ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(words(text)).not.toContain('');
      }),
    );
  });

  test('says where in the text each word stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const { word, start, end } of wordsOf(text)) {
          expect(fold(text.slice(start, end)).startsWith(word.slice(0, 10))).toBe(true);
        }
      }),
    );
  });

  test('cuts a word of 50 KB, and never within a character', () => {
    expect(words('a'.repeat(50_000))).toEqual(['a'.repeat(64)]);
    for (const word of words(`a${'𝒳'.repeat(100)}${'𠀀'.repeat(100)}`)) {
      expect(word.isWellFormed()).toBe(true);
    }
  });

  test('makes words of every Unicode plane that Postgres can store', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const word of words(text.toWellFormed())) {
          expect(word.isWellFormed() && !word.includes('\0')).toBe(true);
          expect(word.length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });
});

test.each([
  ['The cat sat on the mat and it was happy', 'english'],
  ['Die Katze sitzt auf der Matte und ist zufrieden', 'german'],
  ['Le chat est sur le tapis avec les enfants', 'french'],
  ['El gato está en la alfombra con los niños', 'spanish'],
  ['Il gatto è sul tappeto con gli altri', 'italian'],
  ['De kat zit op de mat en het is goed', 'dutch'],
  ['Кошка сидит на ковре и не хочет есть', 'russian'],
  ['wing flow theory', 'english'],
])('detects the language of %j', (text, language) => {
  expect(detectLanguage(words(text))).toBe(language);
});

describe('analyseNote', () => {
  test('weighs the words of title and tags more and leaves out function words', async () => {
    const { weights, length, language } = await analyseNote({
      title: 'The garden',
      content: 'A garden and a shed',
      tags: ['Big House'],
    });
    expect(Object.fromEntries(weights)).toEqual({
      garden: 5,
      shed: 1,
      big: 4,
      house: 4,
      '^the': 1,
      '^garden': 1,
      '#big house': 1,
    });
    expect({ length, language }).toEqual({ length: 14, language: 'english' });
  });

  test('counts the words of a long text as if it were read at once', async () => {
    const content = 'garden shed '.repeat(10_000);
    const { weights, length } = await analyseNote({ title: 'Tools', content, tags: [] });
    expect([weights.get('garden'), length]).toEqual([127, 20_004]);
  });

  test('keeps a bounded number of words of a note', async () => {
    const content = Array.from({ length: 100_000 }, (_, n) => `w${n.toString(36)}`).join(' ');
    const { weights } = await analyseNote({ title: 'T', content, tags: [] });
    expect(weights.size).toBeLessThan(5010);
  });

  test('folds a tag as a whole', () => {
    expect(tagTerm('  To   DO ')).toBe('#to do');
  });
});
