import { expect, test } from 'vitest';
import { fakeTime, openPage, pass } from './note-page.fixture.ts';

fakeTime();

const IMPORTED = 'one\r\ntwo\r\nthree';

test('saves nothing of a note with other line ends that nobody has changed', async () => {
  const { saver, service, device, change, shown } = openPage(IMPORTED);
  expect(saver.getState()).toEqual({ kind: 'saved' });
  change({ content: 'ONE\r\ntwo\r\nthree' });
  await Promise.all([saver.follow('2'), pass(1000)]);
  expect(shown().content).toBe('ONE\ntwo\nthree');
  await Promise.all([saver.close(), pass(1)]);
  expect([service.saves, device.draft]).toEqual([0, undefined]);
});

test('merges a note with other line ends line by line', async () => {
  const { saver, service, change, type } = openPage(IMPORTED);
  change({ content: 'one\r\ntwo\r\nTHREE' });
  type({ content: 'ONE\ntwo\nthree' });
  await pass(1000);
  expect(service.note.content).toBe('ONE\ntwo\nTHREE');
  expect(saver.getState()).toEqual({ kind: 'saved' });
});
