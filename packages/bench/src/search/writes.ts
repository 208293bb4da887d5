import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { cpuSeconds } from '../cpu-time.ts';
import { type Figures, median } from '../figures.ts';
import {
  createAccount,
  createNote,
  INSERT_NOTE,
  type Account,
  type NewNote,
  type NotesDatabase,
} from './environment.ts';
import { generateNotes } from './corpus.ts';
import type { NotesService } from './notes-service.ts';
import { INSERT_BASELINE } from './baselines.ts';

const NOTES = 500;
/** Each way in turn, so that whatever else the machine does is the same for all of them. */
const NOTES_IN_TURN = 50;

/**
 * The cost of storing a note of a hundred words: the request as a whole, and its transaction with our
 * index, under a tsvector with GIN, and without an index, each in a transaction of its own.
 */
export async function measureWrites(
  { database }: NotesDatabase,
  { workspaceId }: Account,
  { service, postgresPid, run }: { service: NotesService; postgresPid: number; run: number },
): Promise<Figures> {
  const other = await createAccount(database);
  const insert = (statement: string, into: string) => (note: NewNote) =>
    database.transaction({ job: 'bench' }, (tx) =>
      tx.query(statement, [newId('note'), into, note.title, note.content]),
    );
  const ownAndPostgres = async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + (await cpuMs(postgresPid));
  };
  const ways = {
    request: wayOf(
      (note) => service.post(note),
      () => cpuMs(postgresPid, service.pid),
    ),
    ours: wayOf((note) => createNote(database, workspaceId, note), ownAndPostgres),
    gin: wayOf(insert(INSERT_BASELINE, workspaceId), ownAndPostgres),
    bare: wayOf(insert(INSERT_NOTE, other.workspaceId), ownAndPostgres),
  };
  const notes = [...generateNotes(NOTES, 100, 1000 + run)].map(({ title, content }) => ({
    title,
    content,
  }));
  for (let start = 0; start < NOTES; start += NOTES_IN_TURN) {
    for (const way of Object.values(ways)) {
      await way.store(notes.slice(start, start + NOTES_IN_TURN));
    }
  }
  const { request, ours, gin, bare } = ways;
  const others = request.cpuMs() - ours.cpuMs() + bare.cpuMs();
  return {
    'a request, ms of processor time': request.cpuMs(),
    'of it the index': ours.cpuMs() - bare.cpuMs(),
    'a request, times as much as without an index': request.cpuMs() / others,
    'a request, times as much as with GIN': request.cpuMs() / (others + gin.cpuMs() - bare.cpuMs()),
    'the transaction alone, ms': median(ours.times),
    'with GIN: the transaction alone, ms': median(gin.times),
    'without an index: the transaction alone, ms': median(bare.times),
  };
}

interface Way {
  store(notes: readonly NewNote[]): Promise<void>;
  times: number[];
  /** Of one note, on average: most of it is too short for the clock of the kernel. */
  cpuMs(): number;
}

function wayOf(store: (note: NewNote) => Promise<unknown>, usedCpuMs: () => Promise<number>): Way {
  const times: number[] = [];
  let total = 0;
  return {
    times,
    cpuMs: () => total / times.length,
    async store(notes) {
      const before = await usedCpuMs();
      for (const note of notes) {
        const start = performance.now();
        await store(note);
        times.push(performance.now() - start);
      }
      total += (await usedCpuMs()) - before;
    },
  };
}

/** Processor time of processes and their descendants. */
async function cpuMs(...pids: number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(cpuSeconds));
  return seconds.reduce<number>((sum, each) => sum + 1000 * (each ?? Number.NaN), 0);
}

const SIZES = `
  SELECT (pg_total_relation_size('search_blocks') + pg_total_relation_size('search_notes'))::float
      / (SELECT count(*) FROM search_notes) AS ours,
    (pg_relation_size('baseline_search') + (SELECT sum(pg_column_size(search)) FROM baseline))::float
      / (SELECT count(*) FROM baseline) AS theirs,
    (SELECT avg(octet_length(title) + octet_length(content)) FROM notes)::float AS text`;

/** Bytes of index for each note. */
export async function measureSizes(sql: Sql): Promise<Figures> {
  const [row] = await sql.query<{ ours: number; theirs: number; text: number }>(SIZES);
  return {
    'bytes of text a note': row?.text ?? NaN,
    'bytes of index a note': row?.ours ?? NaN,
    'with GIN: bytes of index a note': row?.theirs ?? NaN,
  };
}
