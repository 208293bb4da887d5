import { newId } from '@atrium/contracts/ids';
import { databaseUrl } from '@atrium/local-stack/servers';
import { openSearchDatabase } from '@atrium/notes/search/database';
import { addToIndex } from '@atrium/notes/search-index';
import { analyseNote } from '@atrium/notes/search-index/analysis';
import { type Database, openDatabase, type Sql } from '@atrium/service-kit/database';
import { migrate, openServers } from '../platform.ts';

export interface NewNote {
  title: string;
  content: string;
}

export interface Account {
  accountId: string;
  workspaceId: string;
}

/** A migrated database of the notes service. */
export interface NotesDatabase {
  url: string;
  /** As in the service: every commit is durable. */
  database: Database;
  /** Loses its last commits in a crash, which seeds may, and may take long. */
  seedDatabase: Database;
  /** The connections of searches, as in the service. */
  searchDatabase: Database;
}

export interface NotesServer extends AsyncDisposable {
  open(name: string): Promise<NotesDatabase>;
}

export async function openNotesServer(): Promise<NotesServer> {
  await using started = new AsyncDisposableStack();
  const { postgres } = started.use(await openServers());
  const stack = started.move();
  return {
    async open(name) {
      const url = databaseUrl(postgres.url, `bench_${name}`);
      await migrate('notes', url);
      const seedUrl = new URL(url);
      seedUrl.searchParams.set('options', '-c synchronous_commit=off');
      const applicationName = 'bench';
      return {
        url,
        database: stack.use(openDatabase({ url, applicationName })),
        seedDatabase: stack.use(
          openDatabase({ url: seedUrl.href, applicationName, statementTimeoutMs: 900_000 }),
        ),
        searchDatabase: stack.use(openSearchDatabase({ url })),
      };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A new account with one workspace. */
export async function createAccount(sql: Sql): Promise<Account> {
  const [accountId, workspaceId] = [newId('usr'), newId('ws')];
  await sql.query('INSERT INTO owners (account_id, workspace_count) VALUES ($1, 1)', [accountId]);
  await sql.query('INSERT INTO workspaces (id, owner_id, name) VALUES ($1, $2, $3)', [
    workspaceId,
    accountId,
    'Bench',
  ]);
  return { accountId, workspaceId };
}

/** With the statements with which the service creates a note, but several in one transaction. */
export async function createNotes(
  database: Database,
  workspaceId: string,
  notes: readonly NewNote[],
): Promise<string[]> {
  const added = await Promise.all(
    notes.map(async (note) => ({
      ...note,
      id: newId('note'),
      analysed: await analyseNote({ ...note, tags: [] }),
    })),
  );
  await database.transaction(async (tx) => {
    for (const { id, title, content, analysed } of added) {
      await tx.query(INSERT, [id, workspaceId, title, content]);
      await addToIndex(tx, { id, workspaceId }, analysed);
    }
  });
  return added.map(({ id }) => id);
}

const INSERT = `
  WITH slot AS (UPDATE workspaces SET note_count = note_count + 1 WHERE id = $2 RETURNING id)
  INSERT INTO notes (id, workspace_id, title, content) SELECT $1, slot.id, $3, $4 FROM slot`;

/** Few, as what one transaction rewrites several times cannot be cleaned up within it. */
const NOTES_PER_TRANSACTION = 20;

/** @returns the ids in the order of the notes */
export async function addNotes(
  { seedDatabase }: NotesDatabase,
  workspaceId: string,
  notes: readonly NewNote[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < notes.length; start += NOTES_PER_TRANSACTION) {
    const batch = notes.slice(start, start + NOTES_PER_TRANSACTION);
    ids.push(...(await createNotes(seedDatabase, workspaceId, batch)));
    if (ids.length % 10_000 === 0) process.stderr.write(`${ids.length} notes stored\n`);
  }
  await seedDatabase.query('VACUUM ANALYZE');
  return ids;
}
