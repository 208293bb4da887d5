import { createAccountGate } from '@atrium/service-kit/account-gate';
import { searchNotes } from '@atrium/notes/search';
import { isDatabaseUnavailable } from '@atrium/service-kit/database';
import { type Figures, quantile } from '../figures.ts';
import { createQueries, generateNotes, HOSTILE_QUERIES } from './corpus.ts';
import { type Account, addNotes, createAccount, type NotesDatabase } from './environment.ts';

const NOTES = 1000;
const PARALLEL = 20;
const QUERIES = 200;
const WARM_UP = 30;

/** What twenty hostile searches of one account at once cost another: its p95 with and without them. */
export async function isolation(
  notes: NotesDatabase,
  hostile: Account,
  options: { wordsPerNote: number; seed: number },
): Promise<Figures> {
  const { wordsPerNote, seed } = options;
  const other = await createAccount(notes.database);
  await addNotes(notes, other.workspaceId, generateNotes(NOTES, wordsPerNote, seed));
  const gate = createAccountGate();
  const searchOf =
    ({ accountId }: Account) =>
    (query: string) =>
      gate.run(accountId, () =>
        searchNotes(notes.searchDatabase, { accountId, query, limit: 10, offset: 0 }),
      );
  const threeWords = createQueries(QUERIES, seed);
  const search = searchOf(other);
  const alone = await timesOf(threeWords, search);

  let isOver = false;
  const attack = async (first: number) => {
    for (let next = first; !isOver; next += 1) {
      const query = HOSTILE_QUERIES[next % HOSTILE_QUERIES.length] ?? '';
      // On a busy machine a search may exceed its timeout, and would be answered with 503.
      await searchOf(hostile)(query).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) throw error;
      });
    }
  };
  const attacks = Array.from({ length: PARALLEL }, (_, first) => attack(first));
  const beside = await timesOf(threeWords, search);
  isOver = true;
  await Promise.all(attacks);
  const p95Alone = quantile(alone, 0.95);
  const p95Beside = quantile(beside, 0.95);
  return {
    'p95 alone, ms': p95Alone,
    'p95 beside twenty hostile searches, ms': p95Beside,
    'p95 beside twenty hostile searches, times': p95Beside / p95Alone,
  };
}

/** Milliseconds of each query, one after another. */
async function timesOf(
  queries: readonly string[],
  search: (query: string) => Promise<unknown>,
): Promise<number[]> {
  for (const query of queries.slice(0, WARM_UP)) await search(query);
  const times: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    await search(query);
    times.push(performance.now() - start);
  }
  return times;
}
