import { readFileSync } from 'node:fs';

// The Cranfield collection (Cleverdon, 1967): 1,400 abstracts of aeronautics, 225 questions, and which
// abstracts answer which question.

export interface Document {
  id: number;
  title: string;
  text: string;
}

export interface Question {
  text: string;
  relevant: ReadonlySet<number>;
}

function linesOf(name: string): string[] {
  const text = readFileSync(new URL(`cranfield/${name}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

export function readDocuments(): Document[] {
  return linesOf('docs.jsonl').map((line) => JSON.parse(line) as Document);
}

export function readQuestions(): Question[] {
  const relevant = Map.groupBy(
    linesOf('relevant.tsv').map((line) => line.split('\t').map(Number)),
    ([question]) => question ?? 0,
  );
  return linesOf('queries.jsonl').map((line) => {
    const { id, text } = JSON.parse(line) as { id: number; text: string };
    return {
      text,
      relevant: new Set((relevant.get(id) ?? []).map(([, document = 0]) => document)),
    };
  });
}

/** nDCG@10 with binary relevance; the ideal has all of min(10, relevant) at the top. */
export function ndcg(found: readonly number[], relevant: ReadonlySet<number>): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const ranks = (count: number) => Array.from({ length: count }, (_, rank) => rank);
  const ideal = ranks(Math.min(10, relevant.size)).reduce((sum, rank) => sum + gain(rank), 0);
  const actual = ranks(10).reduce((sum, rank) => {
    const document = found[rank];
    return document !== undefined && relevant.has(document) ? sum + gain(rank) : sum;
  }, 0);
  return ideal === 0 ? 0 : actual / ideal;
}

export function reciprocalRank(found: readonly number[], wanted: number): number {
  const rank = found.indexOf(wanted);
  return rank < 0 ? 0 : 1 / (rank + 1);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
