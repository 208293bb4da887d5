import { newId } from '@atrium/contracts/ids';
import { changedMeanwhile } from '@atrium/testkit/changed-meanwhile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { createVersionStore } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('two versions are compared as they are at one moment', async () => {
  const ownerId = newId('usr');
  const call = app.as({ sub: ownerId });
  const noteId = await newNote(call, await newWorkspace(call), { title: 'One', content: 'first' });
  const path = `/api/notes/${noteId}`;
  const [first] = (await call('GET', `${path}/versions`)).body['data'] as { id: string }[];
  const id = first?.id ?? '';
  const beginAnother = async () => {
    await app.database.query(
      `UPDATE versions SET created_at = created_at - interval '6 minutes' WHERE note_id = $1`,
      [noteId],
    );
    await call('PATCH', path, { content: 'second' }, { 'if-match': '*' });
  };
  const store = createVersionStore(app.database);
  const [from, to] = await changedMeanwhile(app.database.pool, beginAnother, () =>
    store.findTwo(noteId, [id, undefined], ownerId),
  );
  expect([from?.supersededAt, from]).toEqual([null, to]);
  await beginAnother();
  const { body } = await call('GET', `${path}/versions/${id}/comparison`);
  expect(body).toMatchObject({ from: { isCurrent: false }, to: { isCurrent: true } });
});
