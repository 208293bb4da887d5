import { expect, test } from 'vitest';
import { rowsOf } from '../browser/ui/lists/rows-of.ts';

test('a row that moved while pages were loaded is shown once, as the later page has it', () => {
  const pages = [
    {
      data: [
        { id: 'a', title: 'Ants' },
        { id: 'b', title: 'Bees' },
      ],
    },
    {
      data: [
        { id: 'c', title: 'Cats' },
        { id: 'a', title: 'Zebras' },
      ],
    },
  ];
  expect(rowsOf(pages).map(({ title }) => title)).toEqual(['Bees', 'Cats', 'Zebras']);
});

test('rows without an id are all shown', () => {
  const row = { tag: 'garden' };
  expect(rowsOf([{ data: [row] }, { data: [{ tag: 'house' }] }])).toHaveLength(2);
});
