import { setImmediate } from 'node:timers/promises';
import { FILE_PATH, NOTE_PATH } from '../export/markdown.ts';
import { detectLanguage, isFunctionWord, type Language } from './languages.ts';
import { fold, wordsOf } from './words.ts';

export interface NoteText {
  title: string;
  content: string;
  tags: readonly string[];
}

/** What the index holds of a note. */
export interface AnalysedNote {
  language: Language;
  /** Words of the content, and those of the title and the tags counted as often as they weigh. */
  length: number;
  /** How much each word weighs, 1 to 127. `^word` is a word of the title, `#tag` a whole tag. */
  weights: Map<string, number>;
}

/** A word of the title or a tag weighs as much as this many in the content. */
const TITLE_WEIGHT = 4;
const WEIGHT_MAX = 127;
/** About a book chapter of prose. What a note says after this many different words is not found. */
const DIFFERENT_WORDS_MAX = 5000;
/** Between two slices, other requests get their turn. */
const SLICE_UNITS = 32_768;

export const TITLE_MARK = '^';
const TAG_MARK = '#';

/** Whether an index term is a tag or a word of a title, and not one of the whole note. */
export function isMarked(term: string): boolean {
  return term.startsWith(TITLE_MARK) || term.startsWith(TAG_MARK);
}

/** The index term of a whole tag. */
export function tagTerm(tag: string): string {
  return TAG_MARK + fold(tag).trim().replaceAll(/\s+/g, ' ');
}

/** Reads a note as it is indexed. */
export async function analyseNote({ title, content, tags }: NoteText): Promise<AnalysedNote> {
  const heading = [title, ...tags].flatMap((text) => [...wordsOf(text)].map(({ word }) => word));
  const counts = new Map<string, number>();
  for (const word of heading) counts.set(word, (counts.get(word) ?? 0) + TITLE_WEIGHT);
  let total = TITLE_WEIGHT * heading.length;
  for (const slice of slicesOf(content)) {
    for (const { word } of wordsOf(withoutPaths(slice))) {
      if (counts.size >= DIFFERENT_WORDS_MAX && !counts.has(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      total += 1;
    }
    if (slice.length < content.length) await setImmediate();
  }

  const language = detectLanguage(counts.keys());
  const weights = new Map<string, number>();
  let length = total;
  for (const [word, count] of counts) {
    if (isFunctionWord(word, language)) length -= count;
    else weights.set(word, Math.min(count, WEIGHT_MAX));
  }
  for (const { word } of wordsOf(title)) weights.set(TITLE_MARK + word, 1);
  for (const tag of tags) weights.set(tagTerm(tag), 1);
  return { language, length: Math.max(1, length), weights };
}

/** Every note with a file or a link would be found by `api`, `content` or `notes`, which it does not show. */
function withoutPaths(text: string): string {
  return text.replaceAll(FILE_PATH, ' ').replaceAll(NOTE_PATH, ' ');
}

/** Cuts a long text between words, or within one that is longer than a slice. */
function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const rest = text.slice(start, start + SLICE_UNITS);
    const isLast = start + SLICE_UNITS >= text.length;
    const space = isLast ? -1 : Math.max(rest.lastIndexOf(' '), rest.lastIndexOf('\n'));
    const slice = space > 0 ? rest.slice(0, space) : rest;
    yield slice;
    start += slice.length;
  }
}
