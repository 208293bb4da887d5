import type { Sql } from '@atrium/service-kit/database';
import { type Account, addNotes, createAccount, type NotesDatabase } from './environment.ts';
import { generateNotes } from './corpus.ts';

const NOTES_PER_WORKSPACE = 100;
const WORDS_PER_NOTE = 12;

/** Copies the index and the notes of one workspace into many accounts of their own. */
const COPY = [
  `CREATE TEMP TABLE copies AS SELECT 'usr_' || n AS owner_id, 'ws_' || n AS workspace_id, n
   FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO owners (account_id, workspace_count) SELECT owner_id, 1 FROM copies`,
  `INSERT INTO workspaces (id, owner_id, name) SELECT workspace_id, owner_id, 'Copy' FROM copies`,
  `INSERT INTO members (account_id, workspace_id, role) SELECT owner_id, workspace_id, 'owner' FROM copies`,
  `INSERT INTO notes (id, workspace_id, title, content)
   SELECT notes.id || '_' || n, copies.workspace_id, title, content
   FROM notes, copies WHERE notes.workspace_id = $1`,
  `INSERT INTO search_workspaces (workspace_id, last_note, note_count, total_length, languages)
   SELECT copies.workspace_id, last_note, note_count, total_length, languages
   FROM search_workspaces AS w, copies WHERE w.workspace_id = $1`,
  `INSERT INTO search_notes
   SELECT copy.number, i.note_number, i.note_id || '_' || n, i.language, i.length, i.words, i.weights,
     i.profile
   FROM search_workspaces AS w JOIN search_notes AS i ON i.workspace_number = w.number,
     copies JOIN search_workspaces AS copy USING (workspace_id)
   WHERE w.workspace_id = $1`,
  `INSERT INTO search_blocks
   SELECT copy.number, b.word, b.block, b.entries
   FROM search_workspaces AS w JOIN search_blocks AS b ON b.workspace_number = w.number,
     copies JOIN search_workspaces AS copy USING (workspace_id)
   WHERE w.workspace_id = $1`,
];

/** Adds accounts with a hundred short notes each until the table has so many more notes. */
export async function addOtherAccounts(notes: NotesDatabase, count: number): Promise<void> {
  const template: Account = await createAccount(notes.database);
  await addNotes(notes, template.workspaceId, [
    ...generateNotes(NOTES_PER_WORKSPACE, WORDS_PER_NOTE, 5),
  ]);
  await notes.seedDatabase.transaction(async (tx: Sql) => {
    for (const [index, statement] of COPY.entries()) {
      const values =
        index === 0 ? [Math.ceil(count / NOTES_PER_WORKSPACE) - 1] : [template.workspaceId];
      await tx.query(statement, statement.includes('$1') ? values : []);
    }
  });
  await notes.seedDatabase.query('VACUUM ANALYZE');
}
