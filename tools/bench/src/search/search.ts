import { searchNotes } from '@atrium/notes/search';
import type { Figures } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { targetTable } from '../target-table.ts';
import { generateNotes } from './corpus.ts';
import {
  type Account,
  addNotes,
  createAccount,
  type NotesDatabase,
  openNotesServer,
} from './environment.ts';
import { isolation } from './isolation.ts';
import { addCranfield, type Collection, measureQuality } from './quality.ts';
import { TARGETS, BASELINES } from './targets.ts';
import { createBaseline, fillBaseline, baselineSearches } from './baselines.ts';

const NOTES = 10_000;
const WORDS_PER_NOTE = 100;
const SEED = 20_260_101;

interface Environment extends AsyncDisposable {
  /** Cranfield alone. */
  cranfield: () => Promise<{ notes: NotesDatabase; collection: Collection }>;
  /** An account with 10,000 notes. */
  generated: () => Promise<{ notes: NotesDatabase; account: Account }>;
}

async function openEnvironment(): Promise<Environment> {
  const server = await openNotesServer();
  return {
    cranfield: once(async () => {
      const notes = await server.open('cranfield');
      const collection = await addCranfield(notes);
      await createBaseline(notes.database);
      await fillBaseline(notes.seedDatabase, collection.workspaceId);
      return { notes, collection };
    }),
    generated: once(async () => {
      const notes = await server.open('generated');
      const account = await createAccount(notes.database);
      await addNotes(notes, account.workspaceId, generateNotes(NOTES, WORDS_PER_NOTE, SEED));
      return { notes, account };
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => (made ??= make());
}

function searchOf({ searchDatabase }: NotesDatabase, { accountId }: Account) {
  return (query: string) => searchNotes(searchDatabase, { accountId, query, limit: 10, offset: 0 });
}

async function quality({ cranfield }: Environment): Promise<Figures> {
  const { notes, collection } = await cranfield();
  const search = searchOf(notes, collection);
  return measureQuality(
    async (query) => ((await search(query))?.results ?? []).map(({ id }) => id),
    collection,
  );
}

async function baselines({ cranfield }: Environment): Promise<Figures> {
  const { notes, collection } = await cranfield();
  const searches = baselineSearches(notes.database, collection.workspaceId);
  const figures: Figures = {};
  for (const [name, search] of Object.entries(searches)) {
    const measured = await measureQuality(search, collection);
    for (const [figure, value] of Object.entries(measured)) figures[`${name}: ${figure}`] = value;
  }
  return figures;
}

export const SEARCH_PARTS: Parts<Environment> = {
  quality,
  baselines,
  isolation: async ({ generated }) => {
    const { notes, account } = await generated();
    return isolation(notes, account, { wordsPerNote: WORDS_PER_NOTE, seed: SEED });
  },
};

/**
 * Runs the benchmarks of search. Latencies are those of the service without HTTP. Ends with a table of what is promised, beside the baselines.
 */
export const benchSearch: Bench = async (runs, only, keep) => {
  const start = performance.now();
  const medians = await runParts(SEARCH_PARTS, { runs, only, keep, open: openEnvironment });
  const minutes = Math.round((performance.now() - start) / 60_000);
  process.stdout.write(
    `\nmedians of ${runs} runs in ${minutes} min\n${targetTable(medians, TARGETS, BASELINES)}\n`,
  );
};
