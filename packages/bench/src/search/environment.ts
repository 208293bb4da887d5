import { newId } from '@atrium/contracts/ids';
import { databaseUrl } from '@atrium/local-stack/servers';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
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
  postgresPid: number;
  redisUrl: string;
  open(name: string): Promise<NotesDatabase>;
}

export async function openNotesServer(): Promise<NotesServer> {
  await using started = new AsyncDisposableStack();
  const { postgres, redis } = started.use(await openServers());
  const stack = started.move();
  return {
    postgresPid: postgres.pid,
    redisUrl: redis.url,
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
        searchDatabase: stack.use(openSearchDatabase({ service: 'notes', url })),
      };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A new account with one workspace. */
export async function createAccount(sql: Sql): Promise<Account> {
  const [accountId, workspaceId] = [newId('usr'), newId('ws')];
  await sql.query(`INSERT INTO owners (account_id, workspace_count, plan) VALUES ($1, 1, 'pro')`, [
    accountId,
  ]);
  await sql.query('INSERT INTO workspaces (id, owner_id, name) VALUES ($1, $2, $3)', [
    workspaceId,
    accountId,
    'Bench',
  ]);
  await sql.query(`INSERT INTO members (account_id, workspace_id, role) VALUES ($1, $2, 'owner')`, [
    accountId,
    workspaceId,
  ]);
  return { accountId, workspaceId };
}

export const INSERT_NOTE = `
  WITH slot AS (UPDATE workspaces SET note_count = note_count + 1 WHERE id = $2 RETURNING id)
  INSERT INTO notes (id, workspace_id, title, content) SELECT $1, slot.id, $3, $4 FROM slot`;

/** Creates a note as the service does, in a transaction of its own. Returns its id. */
export async function createNote(
  database: Database,
  workspaceId: string,
  { title, content }: NewNote,
): Promise<string> {
  const id = newId('note');
  const analysed = await analyseNote({ title, content, tags: [] });
  await database.transaction({ job: 'bench' }, async (tx) => {
    await tx.query(INSERT_NOTE, [id, workspaceId, title, content]);
    await addToIndex(tx, { id, workspaceId }, analysed);
  });
  return id;
}

/**
 * One by one, as the service does: what one transaction rewrites several times cannot be cleaned up
 * within it, and would make the index several times as large.
 *
 * @returns the ids in the order of the notes
 */
export async function addNotes(
  { seedDatabase }: NotesDatabase,
  workspaceId: string,
  notes: Iterable<NewNote>,
): Promise<string[]> {
  const ids: string[] = [];
  for (const note of notes) {
    ids.push(await createNote(seedDatabase, workspaceId, note));
    if (ids.length % 10_000 === 0) process.stderr.write(`${ids.length} notes stored\n`);
  }
  await seedDatabase.query('VACUUM ANALYZE');
  return ids;
}
