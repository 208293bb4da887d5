import { type Word, wordsOf } from './words.ts';

const SNIPPET_WORDS = 30;
const WORDS_BEFORE = 6;
/** Only what is no ordinary text is longer, and is cut within a word or between two. */
const PIECE_UNITS_MAX = 64;
const MARK = '**';

/** Which word of the query a word of a note stands for, as a number. */
export type FindMatch = (word: string) => number | undefined;

/**
 * An excerpt of Markdown around the words that match, which are wrapped in `**`. The rest is plain
 * text, cut between words. Null when nothing matches.
 */
export function snippetOf(markdown: string, findMatch: FindMatch): string | null {
  const text = plainText(markdown);
  const words = [...wordsOf(text)];
  const first = bestMatch(words, findMatch);
  return first === null ? null : excerpt(text, words, first - WORDS_BEFORE, findMatch);
}

/** The beginning of a note, with nothing marked. */
export function beginningOf(markdown: string): string {
  const text = plainText(markdown);
  return excerpt(text, [...wordsOf(text)], 0, () => undefined);
}

/** The match from which an excerpt shows the most words of the query, then the most matches. */
function bestMatch(words: readonly Word[], findMatch: FindMatch): number | null {
  const matches = words.flatMap(({ word }, at) => {
    const match = findMatch(word);
    return match === undefined ? [] : [{ at, match }];
  });
  let best: number | null = null;
  let bestValue = 0;
  for (const [index, { at }] of matches.entries()) {
    const shown: number[] = [];
    for (let next = index; next < matches.length; next += 1) {
      const other = matches[next];
      if (other === undefined || other.at >= at + SNIPPET_WORDS - WORDS_BEFORE) break;
      shown.push(other.match);
    }
    const value = new Set(shown).size * SNIPPET_WORDS + shown.length;
    if (value > bestValue) [best, bestValue] = [at, value];
  }
  return best;
}

function excerpt(text: string, words: readonly Word[], start: number, find: FindMatch): string {
  const first = Math.max(0, start);
  const shown = words.slice(first, first + SNIPPET_WORDS);
  let result = first > 0 ? '…' : shorten(text.slice(0, shown[0]?.start ?? 0));
  for (const [index, { word, start: from, end }] of shown.entries()) {
    const mark = find(word) === undefined ? '' : MARK;
    result += mark + shorten(text.slice(from, end)) + mark;
    const next = words[first + index + 1];
    if (index + 1 < shown.length) result += shorten(text.slice(end, next?.start));
    else result += next === undefined ? shorten(text.slice(end)) : '…';
  }
  return result;
}

function shorten(piece: string): string {
  if (piece.length <= PIECE_UNITS_MAX) return piece;
  return `${piece
    .slice(0, PIECE_UNITS_MAX)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

/**
 * Markdown as one line of plain text without any of its syntax or of HTML's, so that it can be cut
 * anywhere between words and shown anywhere. Each expression takes time proportional to the text.
 */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^[ \t]*(?:```|~~~).*$/gm, ' ')
    .replaceAll(/^[ \t|:=-]+$/gm, ' ')
    .replaceAll(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-+*]|\d{1,9}[.)])[ \t]+/gm, ' ')
    .replaceAll(/\[[ xX]\]/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/[*`~\\[\]]/g, '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/[|\p{Cc}\s]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}
