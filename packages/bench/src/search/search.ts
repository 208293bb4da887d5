import { searchNotes } from '@atrium/notes/search';
import { searchTitles } from '@atrium/notes/search/titles';
import { type Figures, quantile } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { targetTable } from '../target-table.ts';
import { generateNotes, createQueries, HOSTILE_QUERIES, type Queries } from './corpus.ts';
import {
  type Account,
  addNotes,
  createAccount,
  type NotesDatabase,
  openNotesServer,
} from './environment.ts';
import { addOtherAccounts } from './growth.ts';
import { isolation } from './isolation.ts';
import { summarize, timesOf } from './latency.ts';
import { type NotesService, startNotesService } from './notes-service.ts';
import { addCranfield, type Collection, measureQuality } from './quality.ts';
import { TARGETS, BASELINES } from './targets.ts';
import { measureSizes, measureWrites } from './writes.ts';
import { createBaseline, fillBaseline, baselineSearches } from './baselines.ts';

const LARGE_ACCOUNT = 50_000;
const SMALL_ACCOUNT = 10_000;
const TABLE = 1_000_000;
const WORDS_PER_NOTE = 100;
const QUERIES = 200;
/** Common words take the baselines up to a second each. */
const BASELINE_QUERIES = 50;
const SEED = 20_260_101;

interface Environment extends AsyncDisposable {
  /** Cranfield alone. */
  cranfield: () => Promise<{ notes: NotesDatabase; collection: Collection }>;
  /** An account with 50,000 notes. */
  large: () => Promise<{ notes: NotesDatabase; account: Account }>;
  /** The service on the database of that account. */
  service: () => Promise<NotesService>;
  postgresPid: number;
  /** An account with 10,000 notes, alone, and beside 990,000 notes of others. */
  small: () => Promise<{ notes: NotesDatabase; account: Account }>;
  crowded: () => Promise<{ notes: NotesDatabase; account: Account }>;
  run: number;
}

async function openEnvironment(): Promise<Environment> {
  await using started = new AsyncDisposableStack();
  const server = started.use(await openNotesServer());
  const withAccount = async (name: string, count: number) => {
    process.stderr.write(`storing ${count} notes in ${name}\n`);
    const notes = await server.open(name);
    const account = await createAccount(notes.database);
    await addNotes(notes, account.workspaceId, generateNotes(count, WORDS_PER_NOTE, SEED));
    return { notes, account };
  };
  const large = once(async () => {
    const { notes, account } = await withAccount('large', LARGE_ACCOUNT);
    await createBaseline(notes.database);
    await fillBaseline(notes.seedDatabase, account.workspaceId);
    return { notes, account };
  });
  const stack = started.move();
  return {
    cranfield: once(async () => {
      const notes = await server.open('cranfield');
      const collection = await addCranfield(notes);
      await createBaseline(notes.database);
      await fillBaseline(notes.seedDatabase, collection.workspaceId);
      return { notes, collection };
    }),
    large,
    service: once(async () => {
      const { notes, account } = await large();
      return stack.use(await startNotesService(notes, account, server.issuer));
    }),
    small: once(() => withAccount('small', SMALL_ACCOUNT)),
    crowded: once(async () => {
      const { notes, account } = await withAccount('crowded', SMALL_ACCOUNT);
      await addOtherAccounts(notes, TABLE - SMALL_ACCOUNT);
      return { notes, account };
    }),
    postgresPid: server.postgresPid,
    run: 0,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
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

async function latencies(
  notes: NotesDatabase,
  account: Account,
  { threeWords, common, titles }: Queries,
): Promise<Figures> {
  const search = searchOf(notes, account);
  const findTitles = (query: string) =>
    searchTitles(notes.searchDatabase, account.accountId, query, 10);
  return {
    ...summarize('three words', await timesOf(threeWords, search)),
    ...summarize('common words', await timesOf(common, search)),
    ...summarize('titles as you type', await timesOf(titles, findTitles)),
  };
}

async function latency({ large }: Environment): Promise<Figures> {
  const { notes, account } = await large();
  const queries = createQueries(QUERIES, SEED);
  const figures = await latencies(notes, account, queries);
  const searches = baselineSearches(notes.database, account.workspaceId);
  for (const [name, search] of Object.entries(searches)) {
    const threeWords = await timesOf(queries.threeWords.slice(0, BASELINE_QUERIES), search);
    const common = await timesOf(queries.common.slice(0, BASELINE_QUERIES), search);
    Object.assign(figures, summarize(`${name}: three words`, threeWords));
    Object.assign(figures, summarize(`${name}: common words`, common));
  }
  return figures;
}

async function growth({ small, crowded }: Environment): Promise<Figures> {
  const queries = createQueries(QUERIES, SEED);
  const alone = await small();
  const before = await latencies(alone.notes, alone.account, queries);
  const among = await crowded();
  const after = await latencies(among.notes, among.account, queries);
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => [
      [`${name}, 10 k notes`, before[name] ?? NaN],
      [`${name}, 1 M notes`, value],
      [`${name}, times`, value / (before[name] ?? NaN)],
    ]),
  );
}

async function hostile({ small }: Environment): Promise<Figures> {
  const { notes, account } = await small();
  const times = await timesOf(HOSTILE_QUERIES, searchOf(notes, account));
  return { 'slowest hostile query over 10 k notes, ms': quantile(times, 1) };
}

async function writes(environment: Environment): Promise<Figures> {
  const { notes, account } = await environment.large();
  const sizes = environment.run === 0 ? await measureSizes(notes.database) : {};
  environment.run += 1;
  const { run, postgresPid } = environment;
  const service = await environment.service();
  return { ...(await measureWrites(notes, account, { service, postgresPid, run })), ...sizes };
}

export const SEARCH_PARTS: Parts<Environment> = {
  quality,
  baselines,
  latency,
  growth,
  hostile,
  isolation: async ({ small }) => {
    const { notes, account } = await small();
    const options = { wordsPerNote: WORDS_PER_NOTE, queries: QUERIES, seed: SEED };
    return isolation(notes, account, options);
  },
  writes,
};

/**
 * Runs the benchmarks of search. Latencies are those of the service without HTTP.
 * Ends with a table of what is promised, beside the baselines.
 */
export const benchSearch: Bench = async (runs, only, keep) => {
  const start = performance.now();
  const medians = await runParts(SEARCH_PARTS, { runs, only, keep, open: openEnvironment });
  const minutes = Math.round((performance.now() - start) / 60_000);
  process.stdout.write(
    `\nmedians of ${runs} runs in ${minutes} min\n${targetTable(medians, TARGETS, BASELINES)}\n`,
  );
};
