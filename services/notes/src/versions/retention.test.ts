import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { purgeVersions } from './retention.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A note with a version that was superseded so many days ago for each of the given ones. */
async function startNote(plan: 'free' | 'pro', days: number[]) {
  const { call } = newUser(app, { plan });
  const noteId = await newNote(call, await newWorkspace(call), { title: 'One' });
  await app.database.query(
    `INSERT INTO versions (id, note_id, title, content, tags, begun_at, created_at, superseded_at)
     SELECT 'ver_' || days || $1, $1, days || ' days', '', '{}', at, at, at
     FROM unnest($2::integer[]) AS days, LATERAL (SELECT now() - make_interval(days => days) AS at)`,
    [noteId, days],
  );
  return async () => {
    const { data } = (await call('GET', `/api/notes/${noteId}/versions`)).body;
    return (data as { title: string }[]).map(({ title }) => title);
  };
}

test('versions are purged by the plan of their owner, also behind pages that another plan keeps', async () => {
  const free = await startNote('free', [100, 20, 8, 6]);
  const pro = await startNote('pro', [100, 50, 40, 30, 20, 9]);
  await purgeVersions(app.database, undefined, 2);
  expect(await free()).toEqual(['One', '6 days']);
  expect(await pro()).toEqual(['One', '9 days', '20 days', '30 days', '40 days', '50 days']);
});
