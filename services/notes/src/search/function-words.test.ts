import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, startTestApp, type TestApp } from '../test-app.ts';
import { addNotes, search, titlesFor } from './search.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function accountWith(contents: Record<string, string>): Promise<Caller> {
  const call = app.as();
  await addNotes(call, contents);
  return call;
}

const GERMAN = {
  Katze: 'Die Katze sitzt auf der Matte und ist zufrieden.',
  Reise: 'Das war eine schöne Reise mit dem Zug durch die Berge.',
  Garten: 'Wir haben im Garten die Rosen und den Rasen gepflegt.',
};

describe('a word that is a function word of another language', () => {
  test('is found in the contents of English notes', async () => {
    const call = await accountWith({ Plan: 'Fix door, call Ben', Other: 'Water the roses' });
    expect(await titlesFor(call, 'Ben')).toEqual(['Plan']);
    expect(await titlesFor(call, 'door')).toEqual(['Plan']);
  });

  test.each(['Ben', 'ben '])('is found as %j beside notes in that language', async (query) => {
    const call = await accountWith({ Not: 'Bu bir not ve ben onu çok', Plan: 'Ask Ben' });
    expect(await titlesFor(call, query)).toEqual(['Plan']);
  });

  test.each([
    ['mostly English', { Law: 'Civil law of the city', Soup: 'This is for the soup' }],
    ['mostly German', { Law: 'Civil law of the city', ...GERMAN }],
  ])('is searched for beside other words where notes are %s', async (_which, notes) => {
    const call = await accountWith({
      ...notes,
      Reise: GERMAN.Reise,
      History: 'The civil war was long, and it is over',
    });
    const { results } = await search(call, 'civil war ');
    expect(results.map(({ title }) => title)).toEqual(['History', 'Law']);
    expect(results[0]?.snippet).toContain('**civil** **war**');
  });
});

describe('function words', () => {
  test('do not outweigh the other words where a note in another language has them', async () => {
    const call = await accountWith({
      ...GERMAN,
      Schallplatte: 'Das ist die neue Platte und sie ist von The Who, die ich mag',
      Shed: 'The paint for the garden shed is in the attic, and it is green',
      Path: 'This is the path to the garden',
      Walk: 'We have been to the garden with them',
    });
    const titles = await titlesFor(call, 'the garden ');
    expect(titles.slice(0, 3).toSorted()).toEqual(['Path', 'Shed', 'Walk']);
    expect(await titlesFor(call, '"the garden" ')).toHaveLength(3);
  });

  test.each(['what', 'this ', 'eine katze '])('are not corrected: %j', async (query) => {
    const call = await accountWith({ ...GERMAN, Talk: 'A long chat about the fine thin line' });
    const { results, didYouMean } = await search(call, query);
    expect(results.map(({ title }) => title)).not.toContain('Talk');
    expect(didYouMean).toBeNull();
  });

  test('are found as a phrase in contents, and those in titles come first', async () => {
    const call = await accountWith({
      'The Who': 'A band from London',
      Concert: 'We saw The Who in the rain, and we were all wet',
      People: 'The man who came to the door',
      ...GERMAN,
    });
    const { results, total } = await search(call, '"the who"');
    expect(results.map(({ title }) => title)).toEqual(['The Who', 'Concert']);
    expect(results[1]?.snippet).toContain('**The** **Who**');
    expect(total).toBe(2);
    expect(await titlesFor(call, '"the who" tag:band')).toEqual([]);
    expect(await titlesFor(call, '"the who" updated:>2020-01-01')).toHaveLength(2);
  });
});
