import { AtriumError } from '@atrium/client';
import { expect, test } from 'vitest';
import { failure, fakeTime, openPage, pass } from './note-page.fixture.ts';

fakeTime();

test('waits for a change when the text was refused', async () => {
  const { saver, service, type } = openPage();
  service.fails = failure(422);
  type({ content: 'x' });
  await pass(60_000);
  expect(saver.getState()).toMatchObject({ kind: 'refused', error: { status: 422 } });
  service.fails = undefined;
  type({ content: 'xy' });
  await pass(1000);
  expect(service.note.content).toBe('xy');
});

test('tells who may only read now until the text can be saved again', async () => {
  const { saver, service, type } = openPage();
  service.fails = failure(403);
  type({ content: 'x' });
  await pass(1000);
  expect(saver.getState()).toMatchObject({ kind: 'forbidden', error: { status: 403 } });
  const kinds: string[] = [];
  saver.subscribe(() => kinds.push(saver.getState().kind));
  type({ content: 'xy' });
  await pass(1000);
  await Promise.all([saver.flush(), pass(1)]);
  expect(kinds).toEqual([]);
  service.fails = undefined;
  type({ content: 'xyz' });
  await pass(1000);
  expect(service.note.content).toBe('xyz');
  expect(kinds).toEqual(['saved']);
});

test('takes a text that is too large for one that is refused', async () => {
  const { saver, service, type } = openPage();
  service.fails = new AtriumError(403, 'Plan Limit Exceeded', 'It failed');
  type({ content: 'x' });
  await pass(1000);
  expect(saver.getState()).toMatchObject({ kind: 'refused' });
});

test('saves what was typed while the text before it was being refused', async () => {
  const { saver, service, type } = openPage();
  service.fails = failure(422);
  type({ content: 'too long' });
  const refused = saver.flush();
  type({ content: 'short' });
  await refused;
  service.fails = undefined;
  await pass(1000);
  expect(service.note.content).toBe('short');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});
