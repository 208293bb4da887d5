import { addNotes, createAccount, type NotesDatabase } from './environment.ts';
import { generateNotes } from './corpus.ts';

const NOTES_PER_WORKSPACE = 100;
const WORDS_PER_NOTE = 12;
const ACCOUNTS_AT_ONCE = 300;

/**
 * Copies the notes of a workspace ($1) and their index into accounts $2 to $3, each with a workspace of
 * its own. In the order of the indexes, which is several times as fast.
 */
const COPY = `
  WITH copies AS (
    SELECT n, 'usr_' || n AS owner_id, 'ws_' || n AS workspace_id
    FROM generate_series($2::integer, $3::integer) AS n
  ), new_owners AS (
    INSERT INTO owners (account_id, workspace_count) SELECT owner_id, 1 FROM copies
  ), new_workspaces AS (
    INSERT INTO workspaces (id, owner_id, name) SELECT workspace_id, owner_id, 'Copy' FROM copies
  ), new_members AS (
    INSERT INTO members (account_id, workspace_id, role) SELECT owner_id, workspace_id, 'owner' FROM copies
  ), new_notes AS (
    INSERT INTO notes (id, workspace_id, title, content)
    SELECT notes.id || '_' || n, copies.workspace_id, title, content
    FROM notes, copies WHERE notes.workspace_id = $1 ORDER BY n, notes.id
  ), template AS (
    SELECT * FROM search_workspaces WHERE workspace_id = $1
  ), numbered AS (
    INSERT INTO search_workspaces (workspace_id, last_note, note_count, total_length, languages)
    SELECT copies.workspace_id, last_note, note_count, total_length, languages
    FROM template, copies ORDER BY n
    RETURNING number, workspace_id
  ), new_indexed AS (
    INSERT INTO search_notes
    SELECT numbered.number, i.note_number, i.note_id || '_' || n, i.language, i.length, i.words,
      i.weights, i.profile
    FROM template JOIN search_notes AS i ON i.workspace_number = template.number,
      numbered JOIN copies USING (workspace_id)
    ORDER BY numbered.number, i.note_number
  )
  INSERT INTO search_blocks
  SELECT numbered.number, b.word, b.block, b.entries
  FROM template JOIN search_blocks AS b ON b.workspace_number = template.number, numbered
  ORDER BY numbered.number, b.word, b.block`;

/** Adds accounts with a hundred short notes each until the table has so many more notes. */
export async function addOtherAccounts(notes: NotesDatabase, count: number): Promise<void> {
  const { workspaceId } = await createAccount(notes.database);
  await addNotes(notes, workspaceId, generateNotes(NOTES_PER_WORKSPACE, WORDS_PER_NOTE, 5));
  const accounts = Math.ceil(count / NOTES_PER_WORKSPACE) - 1;
  for (let first = 1; first <= accounts; first += ACCOUNTS_AT_ONCE) {
    const last = Math.min(accounts, first + ACCOUNTS_AT_ONCE - 1);
    await notes.seedDatabase.query(COPY, [workspaceId, first, last]);
    process.stderr.write(`${last * NOTES_PER_WORKSPACE} notes of others stored\n`);
  }
  await notes.seedDatabase.query('VACUUM ANALYZE');
}
