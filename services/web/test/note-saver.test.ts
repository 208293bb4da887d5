import { expect, test, vi } from 'vitest';
import { saveNow } from '../browser/notes/saving/save-now.ts';
import { failure, fakeTime, openPage, pass } from './note-page.fixture.ts';

fakeTime();

test('saves at a pause only what has changed, and then forgets the draft', async () => {
  const { saver, service, device, type } = openPage();
  type({ content: 'one' });
  expect(saver.getState()).toEqual({ kind: 'unsaved' });
  await pass(1);
  expect(device.draft?.text.content).toBe('one');
  await pass(1000);
  expect(service.note.content).toBe('one');
  expect(saver.getState()).toEqual({ kind: 'saved' });
  expect(device.draft).toBeUndefined();
});

test('saves while somebody goes on typing, but not for every key', async () => {
  const { service, type } = openPage();
  for (let key = 0; key < 100; key += 1) {
    type({ content: 'x'.repeat(key) });
    await pass(100);
  }
  expect(service.saves).toBeGreaterThan(0);
  expect(service.saves).toBeLessThan(5);
});

test('sends nothing when the text is again as it was', async () => {
  const { saver, service, type } = openPage();
  type({ content: 'x' });
  type({ content: 'one\ntwo\nthree' });
  await pass(1000);
  expect(service.saves).toBe(0);
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('keeps the former title while there is none', async () => {
  const { service, device, type } = openPage();
  type({ title: ' ', content: 'x' });
  await pass(1000);
  expect(service.note).toMatchObject({ title: 'Plans', content: 'x' });
  expect(device.draft?.text.title).toBe(' ');
});

test.each([
  [0, 'offline'],
  [503, 'delayed'],
] as const)('keeps the text on this device and tries again after %i', async (status, kind) => {
  const { saver, service, device, type } = openPage();
  service.fails = failure(status);
  type({ content: 'x' });
  await pass(10_000);
  expect(saver.getState()).toEqual({ kind });
  type({ content: 'xy' });
  await pass(1);
  expect(device.draft?.text.content).toBe('xy');
  service.fails = undefined;
  await pass(30_000);
  expect(service.note.content).toBe('xy');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('asks nobody about their own words after a save whose answer was lost', async () => {
  const { saver, service, shown, type } = openPage();
  service.isAnswerLost = true;
  type({ content: 'mine' });
  await pass(900);
  expect([service.note.content, saver.getState().kind]).toEqual(['mine', 'offline']);
  service.isAnswerLost = false;
  service.fails = failure(0);
  for (const content of ['my own', 'my own text']) {
    type({ content });
    await pass(10_000);
  }
  service.fails = undefined;
  await pass(30_000);
  expect(saver.getState()).toEqual({ kind: 'saved' });
  expect([service.note.content, shown().content]).toEqual(['my own text', 'my own text']);
});

test('keeps the text until the person has logged in again', async () => {
  const { saver, service, device, type } = openPage();
  service.fails = failure(401);
  type({ content: 'x' });
  await pass(60_000);
  expect(saver.getState()).toEqual({ kind: 'signed-out' });
  expect(device.draft?.text.content).toBe('x');
  service.fails = undefined;
  await Promise.all([saver.flush(), pass(1)]);
  expect(service.note.content).toBe('x');
});

test('merges what was saved elsewhere and shows it', async () => {
  const { saver, service, change, shown, type } = openPage();
  change({ content: 'one\ntwo\nTHREE' });
  type({ content: 'ONE\ntwo\nthree' });
  await pass(1000);
  expect(shown().content).toBe('ONE\ntwo\nTHREE');
  expect(service.note.content).toBe('ONE\ntwo\nTHREE');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('asks when the same lines were changed elsewhere, and loses neither', async () => {
  const { saver, service, device, change, type } = openPage();
  change({ content: 'theirs\ntwo\nthree' });
  type({ content: 'mine\ntwo\nthree' });
  await pass(1000);
  expect(saver.getState()).toMatchObject({ kind: 'conflict' });
  type({ content: 'mine too\ntwo\nthree' });
  await pass(10_000);
  expect(service.note.content).toBe('theirs\ntwo\nthree');
  expect(device.draft?.text.content).toBe('mine too\ntwo\nthree');
  expect(saver.merge()?.content[0]).toEqual({
    kind: 'conflict',
    base: ['one'],
    mine: ['mine too'],
    theirs: ['theirs'],
  });
  saver.resolve({ title: 'Plans', content: 'both', tags: [], pinned: false });
  await pass(1);
  expect(service.note.content).toBe('both');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('keeps the text of a note that was deleted elsewhere, until it is discarded', async () => {
  const { saver, service, device, type } = openPage();
  service.fails = failure(404);
  type({ content: 'x' });
  await pass(1000);
  expect(saver.getState()).toEqual({ kind: 'deleted' });
  type({ content: 'xy' });
  await pass(1000);
  expect(device.draft?.text.content).toBe('xy');
  await Promise.all([saver.discard(), pass(1)]);
  expect(device.draft).toBeUndefined();
});

test('saves once more when the page is left, and leaves a merge to the next one', async () => {
  const { saver, service, type } = openPage();
  type({ content: 'x' });
  await Promise.all([saver.close(), pass(1)]);
  expect(service.note.content).toBe('x');

  const next = openPage();
  next.change({ content: 'theirs' });
  next.type({ content: 'mine' });
  await Promise.all([next.saver.close(), pass(1)]);
  expect(next.service.note.content).toBe('theirs');
  expect(next.device.draft).toMatchObject({ text: { content: 'mine' }, base: { etag: '1' } });
});

test('saves now also what was typed during a save that was under way', async () => {
  const { saver, service, type } = openPage();
  type({ content: 'x' });
  void saver.flush();
  type({ content: 'xy' });
  await Promise.all([saveNow(saver, 'not saved'), pass(100)]);
  expect(service.note.content).toBe('xy');
});

test.each([
  [401, 'not saved'],
  [422, 'It failed'],
  [503, 'not saved'],
] as const)(
  'nothing goes on that needed the text saved when the service answers %i',
  async (status, message) => {
    const { saver, service, type } = openPage();
    service.fails = failure(status);
    type({ content: 'x' });
    const [saved] = await Promise.allSettled([saveNow(saver, 'not saved'), pass(100)]);
    expect(saved).toMatchObject({ status: 'rejected', reason: { message } });
  },
);

test('keeps the last key before the page goes, without waiting for anything', async () => {
  const { saver, device, type } = openPage();
  type({ content: 'x' });
  await pass(1);
  type({ content: 'xy' });
  void saver.flush();
  expect(device.draft?.text.content).toBe('xy');
  type({ content: 'xyz' });
  void saver.close();
  expect(device.draft?.text.content).toBe('xyz');
});

test('saves what is typed while this device is slow to let the draft go', async () => {
  const { saver, service, device, type } = openPage();
  device.delayMs = 3000;
  type({ content: 'x' });
  await pass(1000);
  expect(service.note.content).toBe('x');
  type({ content: 'xy' });
  await pass(10_000);
  expect(service.note.content).toBe('xy');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});

test('says when this device keeps nothing', async () => {
  const { saver, device, type } = openPage();
  device.isFull = true;
  type({ content: 'x' });
  await pass(1);
  expect(saver.isKept()).toBe(false);
  device.isFull = false;
  const kept: boolean[] = [];
  saver.subscribe(() => kept.push(saver.isKept()));
  type({ content: 'xy' });
  await pass(1);
  expect(kept).toEqual([true]);
});

test('discards nothing that this device does not let go', async () => {
  const { saver, service, device, type } = openPage();
  service.fails = failure(404);
  type({ content: 'x' });
  await pass(1000);
  device.isStuck = true;
  await expect(saver.discard()).rejects.toThrow('cannot be removed');
  type({ content: 'xy' });
  await pass(1);
  expect(device.draft?.text.content).toBe('xy');
});

test('forgets the draft with the answer, also when nothing is painted', async () => {
  const { saver, device, type } = openPage();
  type({ content: 'x' });
  await pass(1);
  vi.stubGlobal('requestAnimationFrame', () => undefined);
  await saver.flush();
  expect(device.draft).toBeUndefined();
});
