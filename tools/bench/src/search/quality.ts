import { fold, wordsOf } from '@atrium/notes/search-index/words';
import type { Figures } from '../figures.ts';
import {
  type Document,
  mean,
  ndcg,
  readDocuments,
  readQuestions,
  reciprocalRank,
} from './cranfield.ts';
import { type Account, addNotes, createAccount, type NotesDatabase } from './environment.ts';
import { createRandom } from './random.ts';

/** Finds ids of notes, the best first. */
export type Search = (query: string) => Promise<string[]>;

export interface Collection extends Account {
  documents: Document[];
  /** The number of a document by the id of its note. */
  documentOf: Map<string, number>;
}

export async function addCranfield(notes: NotesDatabase): Promise<Collection> {
  const documents = readDocuments();
  const account = await createAccount(notes.database);
  const contents = documents.map(({ title, text }) => ({ title, content: text }));
  const ids = await addNotes(notes, account.workspaceId, contents);
  const documentOf = new Map(ids.map((id, index) => [id, documents[index]?.id ?? 0]));
  return { ...account, documents, documentOf };
}

/** How well the questions are answered, and each note is found by its title. */
export async function measureQuality(
  find: Search,
  { documents, documentOf }: Collection,
): Promise<Figures> {
  const search = async (query: string) => (await find(query)).map((id) => documentOf.get(id) ?? 0);
  const questions = readQuestions();
  const whole: number[] = [];
  const clean: number[] = [];
  const misspelt: number[] = [];
  const random = createRandom(7);
  const frequencies = frequenciesIn(documents);
  for (const { text, relevant } of questions) {
    whole.push(ndcg(await search(text), relevant));
    const words = threeWords(text, frequencies);
    clean.push(ndcg(await search(words.join(' ')), relevant));
    const [rarest = '', ...others] = words;
    misspelt.push(ndcg(await search([misspell(rarest, random), ...others].join(' ')), relevant));
  }
  const ranks: number[] = [];
  for (const { id, title } of documents) {
    if (title !== '') ranks.push(reciprocalRank(await search(title), id));
  }
  return {
    'nDCG@10, whole questions': mean(whole),
    'nDCG@10, three words': mean(clean),
    'nDCG@10, one typo': mean(misspelt),
    'kept with one typo': mean(misspelt) / mean(clean),
    'MRR by title': mean(ranks),
  };
}

function frequenciesIn(documents: readonly Document[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { title, text } of documents) {
    for (const word of new Set([...wordsOf(`${title} ${text}`)].map((each) => each.word))) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
  }
  return frequencies;
}

/** The three rarest words of a question that can be misspelt and that some document has, rarest first. */
function threeWords(question: string, frequencies: ReadonlyMap<string, number>): string[] {
  const words = [...new Set([...wordsOf(question)].map(({ word }) => word))];
  return words
    .filter((word) => word.length >= 5 && frequencies.has(word))
    .toSorted((a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0))
    .slice(0, 3);
}

/** Drops, doubles, replaces or swaps one letter, never the first. */
function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = String.fromCharCode(97 + Math.floor(random() * 26));
  switch (Math.floor(random() * 4)) {
    case 0:
      return word.slice(0, at) + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + letter + word.slice(at);
    case 2:
      return word.slice(0, at) + letter + word.slice(at + 1);
    default:
      return fold(word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2));
  }
}
