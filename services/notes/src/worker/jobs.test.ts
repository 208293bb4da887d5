import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { createJobs } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A row of a workspace and its note that is to be erased, and how to find it. */
const OLD_ROWS = {
  'purge-invitations': [
    `INSERT INTO invitations (id, workspace_id, email, role, token_hash, expires_at)
     SELECT $1, $2, 'bob@example.com', 'viewer', '\\x00', now() - interval '1 year' WHERE $3 <> ''`,
    'SELECT FROM invitations WHERE id = $1',
  ],
  'purge-versions': [
    `INSERT INTO versions (id, note_id, title, content, tags, begun_at, created_at, superseded_at)
     SELECT $1, $3, 'Old', '', '{}', at, at, at
     FROM (SELECT now() - interval '1 year' AS at) AS old WHERE $2 <> ''`,
    'SELECT FROM versions WHERE id = $1',
  ],
  'purge-activity': [
    `INSERT INTO activities (id, workspace_id, note_id, kind) VALUES ($1, $2, $3, 'note.created')`,
    'SELECT FROM activities WHERE id = $1',
  ],
  'purge-trash': [
    `INSERT INTO notes (id, workspace_id, title, deleted_at)
     SELECT $1, $2, 'Old', now() - interval '1 year' WHERE $3 <> ''`,
    'SELECT FROM notes WHERE id = $1',
  ],
} as const;

test.each(Object.keys(OLD_ROWS) as (keyof typeof OLD_ROWS)[])(
  '%s erases nothing more once it is aborted, and its next run erases the rest',
  async (name) => {
    const { call } = newUser(app);
    const workspaceId = await newWorkspace(call);
    const noteId = await newNote(call, workspaceId, { title: 'Kept' });
    const [insert, find] = OLD_ROWS[name];
    const id = newId('act', Date.UTC(2020, 0));
    await app.database.query(insert, [id, workspaceId, noteId]);
    const job = createJobs(app)[name];
    await expect(job.run(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await app.database.query(find, [id])).toHaveLength(1);
    await job.run(new AbortController().signal);
    expect(await app.database.query(find, [id])).toEqual([]);
  },
);
