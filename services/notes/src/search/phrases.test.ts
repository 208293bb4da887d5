import { afterAll, beforeAll, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { addNotes, search, titlesFor } from './search.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('a phrase is looked for in the best 200 notes that have its words', async () => {
  const call = app.as({ plan: 'pro' });
  const workspaceId = await newWorkspace(call);
  const other = { title: 'Other', content: 'house or red' };
  await Promise.all(Array.from({ length: 150 }, () => newNote(call, workspaceId, other)));
  const content = `${'filler '.repeat(200)} red house`;
  await newNote(call, workspaceId, { title: 'Last', content });
  const { results, isPartial } = await search(call, '"red house" ');
  expect([results.map(({ title }) => title), isPartial]).toEqual([['Last'], false]);
});

test('a number in brackets is found in a phrase, and only with its brackets', async () => {
  const call = app.as();
  await addNotes(call, { List: 'The ⑴ step and the ⒈ place', Other: '1 step, 1a place' });
  expect(await titlesFor(call, '"⑴ step"')).toEqual(['List']);
  expect(await titlesFor(call, '"⒈ place"')).toEqual(['List']);
  expect((await search(call, `"${'⑴'.repeat(22)} step"`)).total).toBe(0);
});

test('a long phrase is looked for in less text than a short one, and the answer says so', async () => {
  const call = app.as();
  const content = `y ${'x '.repeat(25_000)}`;
  await addNotes(call, { One: content, Two: content, Three: content });
  const short = await search(call, '"x x x x x x x y"');
  expect([short.total, short.isPartial]).toEqual([0, false]);
  const long = await search(call, `"${'x '.repeat(490)}y"`);
  expect([long.total, long.isPartial]).toEqual([0, true]);
});
