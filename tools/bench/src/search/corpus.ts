import type { NewNote } from './environment.ts';
import { createRandom } from './random.ts';

const WORDS = 60_000;
const TITLE_WORDS = 5;
const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu';

const syllables = SYLLABLES.split(' ');

/** Made-up words, each with its rank by frequency; frequent words are short. */
function wordOf(rank: number): string {
  let word = '';
  for (let left = rank + 1; left > 0; left = Math.floor(left / syllables.length)) {
    word += syllables[left % syllables.length] ?? '';
  }
  return `${word}x`;
}

/** Notes whose words follow Zipf's law: the word of rank n occurs 1/n as often as the first. */
export function* generateNotes(
  count: number,
  contentWords: number,
  seed: number,
): Generator<NewNote & { ranks: number[] }> {
  const random = createRandom(seed);
  const ranks = (length: number) =>
    Array.from({ length }, () => Math.floor(Math.exp(random() * Math.log(WORDS))) - 1);
  for (let n = 0; n < count; n += 1) {
    const title = ranks(TITLE_WORDS);
    const content = ranks(Math.ceil(contentWords * (0.5 + random())));
    yield {
      title: title.map(wordOf).join(' '),
      content: content.map(wordOf).join(' '),
      ranks: [...title, ...content],
    };
  }
}

/** Three words of each of some notes like these, none of them frequent. */
export function createQueries(count: number, seed: number): string[] {
  const random = createRandom(seed + 1);
  return [...generateNotes(count, 100, seed)].map(({ ranks }) => {
    const rare = ranks.filter((rank) => rank >= 200);
    const pick = () => wordOf(rare[Math.floor(random() * rare.length)] ?? 200);
    return [pick(), pick(), pick()].join(' ');
  });
}

/** What a hostile account might ask. */
export const HOSTILE_QUERIES = [
  '-'.repeat(1000),
  'a '.repeat(500),
  '"a" '.repeat(250),
  Array.from({ length: 190 }, (_, rank) => wordOf(rank))
    .join(' ')
    .slice(0, 1000),
  Array.from({ length: 60 }, (_, rank) => `"${wordOf(rank)} ${wordOf(rank + 1)}"`)
    .join(' ')
    .slice(0, 1000),
  Array.from({ length: 90 }, (_, n) => `misspelled${String.fromCharCode(97 + (n % 26))}`)
    .join(' ')
    .slice(0, 1000),
  `updated:>2000-01-01 ${wordOf(0)}`,
  'updated:>2000-01-01',
  `${wordOf(0)} -${wordOf(1)} -${wordOf(2)}`,
  'b',
  'x'.repeat(1000),
  '東京'.repeat(500),
  '"-tag:in:updated:>*|&!()<->'.repeat(50).slice(0, 1000),
  ...['tag:', '-tag:', 'in:'].map((operator) =>
    `${operator}${wordOf(0)} `.repeat(100).slice(0, 1000),
  ),
  String.fromCodePoint(...Array.from({ length: 17 }, (_, plane) => plane * 0x10000 + 0xa0)).repeat(
    29,
  ),
];
