import { randomBytes } from 'node:crypto';
import { newId } from '@atrium/contracts/ids';
import { databaseUrl } from '@atrium/local-stack/servers';
import { NotesConfig } from '@atrium/notes/config';
import { openNotes } from '@atrium/notes/open-notes';
import { addToIndex } from '@atrium/notes/search-index';
import { readConfig } from '@atrium/service-kit/config';
import { type Database, openDatabase, type Sql } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { startTokenIssuer } from '@atrium/testkit/tokens';
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
  /** As in the service: every commit is durable. */
  database: Database;
  /** Loses its last commits in a crash, which seeds may, and may take long. */
  seedDatabase: Database;
  /** The connections of searches, as in the service. */
  searchDatabase: Database;
}

interface NotesServer extends AsyncDisposable {
  open(name: string): Promise<NotesDatabase>;
}

export async function openNotesServer(): Promise<NotesServer> {
  await using started = new AsyncDisposableStack();
  const { postgres, redis } = started.use(await openServers());
  const issuer = started.use(await startTokenIssuer());
  const stack = started.move();
  return {
    async open(name) {
      const url = databaseUrl(postgres.url, `bench_${name}`);
      await migrate('notes', url);
      const seedUrl = new URL(url);
      seedUrl.searchParams.set('options', '-c synchronous_commit=off');
      const environment = {
        DATABASE_URL: url,
        REDIS_URL: redis.url,
        QUEUE_PREFIX: `{${name}}`,
        PORT: '0',
        METRICS_PORT: '0',
        AUTH_URL: issuer.origin,
        WEB_URL: 'http://127.0.0.1:9',
        NOTES_WORKER_URL: 'http://127.0.0.1:9',
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
        MESSAGE_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      };
      const logger = createLogger({ service: 'notes', level: 'warn' });
      const context = { stack, logger, env: {}, shutdown: new AbortController().signal };
      const config = readConfig(NotesConfig, environment);
      const { server, database, searchDatabase } = await openNotes(context, config);
      stack.defer(() => server.close());
      const seeding = { applicationName: 'bench', statementTimeoutMs: 900_000 };
      const seedDatabase = stack.use(openDatabase({ url: seedUrl.href, ...seeding }));
      return { database, searchDatabase, seedDatabase };
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

const INSERT_NOTE = `
  WITH slot AS (UPDATE workspaces SET note_count = note_count + 1 WHERE id = $2 RETURNING id)
  INSERT INTO notes (id, workspace_id, title, content) SELECT $1, slot.id, $3, $4 FROM slot`;

/** Creates a note as the service does, in a transaction of its own. Returns its id. */
async function createNote(
  database: Database,
  workspaceId: string,
  { title, content }: NewNote,
): Promise<string> {
  const id = newId('note');
  await database.transaction({ job: 'bench' }, async (tx) => {
    await tx.query(INSERT_NOTE, [id, workspaceId, title, content]);
    await addToIndex(tx, workspaceId, [{ id, title, content, tags: [] }]);
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
