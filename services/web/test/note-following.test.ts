import { expect, test } from 'vitest';
import type { Saver } from '../browser/notes/saving/saving-state.ts';
import { resolveMerge } from '../browser/notes/saving/merge.ts';
import { failure, fakeTime, openPage, pass } from './note-page.fixture.ts';

fakeTime();

/** What `follow` returns, once the draft is written. */
async function followed(saver: Saver, etag: string): Promise<boolean> {
  const following = saver.follow(etag);
  await pass(10);
  return following;
}

test('takes over what others save while one types, and saves at the pause', async () => {
  const { saver, service, device, change, shown, type } = openPage();
  type({ content: 'one\ntwo\nthree\nfour' });
  change({ content: 'ONE\ntwo\nthree', tags: ['garden'] });
  expect(await followed(saver, '2')).toBe(true);
  expect(shown()).toMatchObject({ content: 'ONE\ntwo\nthree\nfour', tags: ['garden'] });
  expect([saver.getState().kind, service.saves]).toEqual(['unsaved', 0]);
  expect(device.draft?.base.etag).toBe('2');
  await pass(800);
  expect(service.note.content).toBe('ONE\ntwo\nthree\nfour');
  expect(saver.getState()).toEqual({ kind: 'saved' });
  expect(await followed(saver, service.note.etag)).toBe(false);
});

test('asks only when others have changed the same lines', async () => {
  const { saver, change, type } = openPage();
  type({ content: 'one\nTWO\nthree' });
  change({ content: 'one\n2\nthree' });
  expect(await followed(saver, '2')).toBe(false);
  expect(saver.getState()).toMatchObject({
    kind: 'conflict',
    theirs: { content: 'one\n2\nthree' },
  });
});

test('leaves a title alone that is being typed anew', async () => {
  const { saver, change, shown, type } = openPage();
  type({ title: '' });
  change({ content: 'one\ntwo\nthree\nfour' });
  expect(await followed(saver, '2')).toBe(true);
  expect(shown()).toMatchObject({ title: '', content: 'one\ntwo\nthree\nfour' });
});

test('does not take its own save for that of somebody else', async () => {
  const { saver, type } = openPage();
  type({ content: 'one' });
  void saver.flush();
  expect(await followed(saver, '2')).toBe(false);
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('keeps the text of a note that is gone, also when all of it was saved', async () => {
  const { saver, service, device } = openPage();
  service.gone = true;
  expect(await followed(saver, '')).toBe(false);
  expect(saver.getState()).toEqual({ kind: 'deleted' });
  expect(device.draft?.text.content).toBe('one\ntwo\nthree');
  void saver.discard();
  await pass(10);
  expect(device.draft).toBeUndefined();
});

test('goes on with a note whose deletion was undone, with what was typed and saved meanwhile', async () => {
  const { saver, service, device, change, shown, type } = openPage();
  service.gone = true;
  await followed(saver, '');
  type({ content: 'one\ntwo\n3' });
  await pass(60_000);
  expect(saver.getState()).toEqual({ kind: 'deleted' });
  expect(device.draft?.text.content).toBe('one\ntwo\n3');
  service.gone = false;
  change({ content: 'ONE\ntwo\nthree' });
  await pass(40_000);
  expect(saver.getState()).toEqual({ kind: 'saved' });
  expect([service.note.content, shown().content]).toEqual(['ONE\ntwo\n3', 'ONE\ntwo\n3']);
  expect(device.draft).toBeUndefined();
});

test('stays deleted without the service, and asks no more once its page is closed', async () => {
  const { saver, service } = openPage();
  service.gone = true;
  await followed(saver, '');
  service.loadFails = failure(0);
  await pass(10_000);
  expect(saver.getState()).toEqual({ kind: 'deleted' });
  await Promise.all([saver.close(), pass(10)]);
  const { loads } = service;
  await pass(60_000);
  expect([saver.getState().kind, service.loads]).toEqual(['deleted', loads]);
});

test.each([
  ['nothing when all of it was saved', undefined],
  ['what was not saved', 'one\ntwo\n3'],
])('keeps of a note that is gone, once its page is closed, %s', async (_kept, content) => {
  const { saver, service, device, type } = openPage();
  service.gone = true;
  service.fails = failure(404);
  await followed(saver, '');
  if (content !== undefined) type({ content });
  await Promise.all([saver.close(), pass(10)]);
  expect(device.draft?.text.content).toBe(content);
});

test('saves everything else while it asks about some words, and takes over what others save', async () => {
  const { saver, service, device, change, shown, type } = openPage();
  change({ content: 'theirs\ntwo\nthree' });
  type({ content: 'mine\ntwo\n3' });
  await pass(1000);
  expect(saver.getState().kind).toBe('conflict');
  expect(service.note.content).toBe('theirs\ntwo\n3');
  // The next page that opens the draft asks as well.
  expect(device.draft).toMatchObject({
    base: { etag: '1', content: 'one\ntwo\n3' },
    text: { content: 'mine\ntwo\n3' },
  });
  type({ content: 'mine\ntwo\n3, four' });
  await pass(1000);
  expect(service.note.content).toBe('theirs\ntwo\n3, four');

  const merge = saver.merge();
  change({ content: 'theirs\ntwo\n3, four, five' });
  void saver.flush();
  await pass(10);
  expect(shown().content).toBe('mine\ntwo\n3, four, five');
  expect(saver.getState().kind).toBe('conflict');
  // Chosen from what was there before: what was saved since stays.
  if (merge !== null) saver.resolve(resolveMerge(merge, ['mine']));
  await pass(2000);
  expect(service.note.content).toBe('mine\ntwo\n3, four, five');
  expect(shown().content).toBe('mine\ntwo\n3, four, five');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('asks no more when what is typed takes the words of the others, and stays open without the service', async () => {
  const { saver, service, change, type } = openPage();
  change({ content: 'theirs\ntwo\nthree' });
  type({ content: 'mine\ntwo\nthree' });
  await pass(1000);
  service.fails = failure(0);
  type({ content: 'mine\ntwo\n3' });
  await pass(1000);
  expect(saver.getState().kind).toBe('conflict');
  service.fails = undefined;
  await pass(5000);
  expect(service.note.content).toBe('theirs\ntwo\n3');
  type({ content: 'theirs\ntwo\n3!' });
  await pass(2000);
  expect(service.note.content).toBe('theirs\ntwo\n3!');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});
