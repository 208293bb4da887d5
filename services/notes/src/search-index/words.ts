/** Longer words are cut, so that an index row stays small. A query is cut in the same way. */
const WORD_MAX_UNITS = 64;

const TOKEN = /[\p{L}\p{N}\p{M}]+/gu;
const ASCII = /^[ -~\s]*$/;
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Accents, Hebrew and Arabic vowel points. The vowel signs of Indic scripts and Thai stay. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670\u0640]/g;
/** Letters that Unicode does not decompose. */
const SPECIAL_LETTERS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ı', 'i'],
]);
const SPECIAL_LETTER = new RegExp(`[${[...SPECIAL_LETTERS.keys()].join('')}]`, 'g');

/** ICU splits these scripts by dictionary whatever the locale. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

export interface Word {
  /** Folded, the form in which words are indexed and compared. */
  word: string;
  /** Where it stands in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

/** Lower case without accents: `Café`, `CAFÉ` and `cafe` are one word. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(SPECIAL_LETTER, (letter) => SPECIAL_LETTERS.get(letter) ?? letter)
    .normalize('NFC');
}

export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** The words of a text in order, in time proportional to its length. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (!isUnspaced(token)) {
      yield* wordAt(token, index);
      continue;
    }
    for (const part of segmenter.segment(token)) {
      if (part.isWordLike === true) yield* wordAt(part.segment, index + part.index);
    }
  }
}

/** None when the token folds to nothing, such as a lone accent or tatweel. */
function wordAt(token: string, start: number): Word[] {
  const word = cut(fold(cut(token)));
  return word === '' ? [] : [{ word, start, end: start + token.length }];
}

function cut(text: string): string {
  if (text.length <= WORD_MAX_UNITS) return text;
  const unit = text.charCodeAt(WORD_MAX_UNITS - 1);
  // Postgres refuses half of a surrogate pair.
  const isHighSurrogate = unit >= 0xd800 && unit <= 0xdbff;
  return text.slice(0, isHighSurrogate ? WORD_MAX_UNITS - 1 : WORD_MAX_UNITS);
}
