import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, startTestApp, type TestApp } from '../test-app.ts';
import { addNotes, search, titlesFor } from './search.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const NOTES = {
  German: {
    Häuser: 'Die alten Häuser am Fluss werden im Frühling von der Stadt verkauft.',
    Müll: 'Der Müll wird jeden Dienstag abgeholt, auch an Feiertagen.',
    Straße: 'In dieser Straße darf man nicht schneller als dreißig fahren.',
    Bücher: 'Ich habe drei Bücher über Vögel gelesen und nichts behalten.',
  },
  French: {
    Réunion: 'Nous avons parlé des élèves fatigués et des cours de la rentrée.',
    Chevaux: 'Les chevaux sont dans le pré avec les vieilles juments.',
    Forêt: 'La forêt est fermée pendant les tempêtes de l’automne.',
    Recette: 'Mélanger les œufs et le beurre, puis ajouter la crème.',
  },
  Japanese: {
    旅行: '昨日は東京都で美味しい寿司を食べました。',
    図書館: '彼女は図書館で日本語の本を読んでいます。',
    天気: '明日は雨が降るでしょう。',
    会議: '来週の会議の資料を準備する。',
  },
  Chinese: { 笔记: '图书馆里有很多中文书。', 天气: '明天会下雨。' },
  Korean: { 학교: '어제 학교에서 한국어를 공부했습니다.', 날씨: '내일은 비가 옵니다.' },
  Thai: { อาหาร: 'ฉันกินข้าวที่บ้านทุกวัน', อากาศ: 'พรุ่งนี้ฝนจะตก' },
  Russian: { Книги: 'Мы читали книги о больших городах.', Погода: 'Завтра будет дождь.' },
};

const QUERIES: Record<keyof typeof NOTES, [query: string, title: string][]> = {
  German: [
    ['haus', 'Häuser'],
    ['HAEUSERN häusern', 'Häuser'],
    ['hauser', 'Häuser'],
    ['alter fluss', 'Häuser'],
    ['feiertag', 'Müll'],
    ['muell abholen müll', 'Müll'],
    ['strasse', 'Straße'],
    ['schnell fahren', 'Straße'],
    ['buch vogel bucher', 'Bücher'],
  ],
  French: [
    ['eleve', 'Réunion'],
    ['élève fatiguée', 'Réunion'],
    ['cheval', 'Chevaux'],
    ['vieille jument', 'Chevaux'],
    ['foret', 'Forêt'],
    ['tempête', 'Forêt'],
    ['oeufs', 'Recette'],
    ['melange', 'Recette'],
  ],
  Japanese: [
    ['東京', '旅行'],
    ['寿司', '旅行'],
    ['食べる', '旅行'],
    ['寿司食べた', '旅行'],
    ['日本語の本', '図書館'],
    ['読む', '図書館'],
    ['会議資料', '会議'],
    ['雨', '天気'],
  ],
  Chinese: [
    ['图书馆', '笔记'],
    ['中文', '笔记'],
    ['下雨', '天气'],
  ],
  Korean: [
    ['학교', '학교'],
    ['한국어', '학교'],
    ['비가', '날씨'],
  ],
  Thai: [
    ['ข้าว', 'อาหาร'],
    ['กินข้าว', 'อาหาร'],
    ['ฝน', 'อากาศ'],
  ],
  Russian: [
    ['книга', 'Книги'],
    ['большой город', 'Книги'],
    ['дождя', 'Погода'],
  ],
};

describe.each(Object.keys(NOTES) as (keyof typeof NOTES)[])('%s', (language) => {
  let call: Caller;
  beforeAll(async () => {
    call = app.as();
    await addNotes(call, NOTES[language]);
  });

  test.each(QUERIES[language])('%s finds %s', async (query, title) => {
    expect((await titlesFor(call, query))[0]).toBe(title);
  });
});

describe('several languages in one account', () => {
  test('are each found by their own inflections', async () => {
    const call = app.as();
    await addNotes(call, { ...NOTES.German, ...NOTES.French, ...NOTES.Japanese });
    expect((await titlesFor(call, 'haus'))[0]).toBe('Häuser');
    expect((await titlesFor(call, 'cheval'))[0]).toBe('Chevaux');
    expect((await titlesFor(call, '食べる'))[0]).toBe('旅行');
  });
});

describe('a misspelt word', () => {
  let call: Caller;
  beforeAll(async () => {
    call = app.as();
    await addNotes(call, {
      Alpha: 'The university library opens on Sundays.',
      Beta: 'Libraries of the town were closed in winter.',
      Gamma: 'An unrelated note about gardens and weather.',
    });
  });

  test.each([
    ['univrsity', 'university'],
    ['universitty', 'university'],
    ['unaversity', 'university'],
    ['uinversity', 'university'],
    ['gardans wether', 'gardens weather'],
    ['"univrsity library" wintre', '"university library" winter'],
  ])('%s is corrected to %s', async (query, corrected) => {
    const { results, didYouMean } = await search(call, `${query} `);
    expect(didYouMean).toBe(`${corrected} `);
    expect(results[0]?.snippet).toMatch(/\*\*\w+\*\*/);
  });

  test('is corrected to all forms of the word', async () => {
    expect((await titlesFor(call, 'libary')).toSorted()).toEqual(['Alpha', 'Beta']);
  });

  test('is not corrected when some note has it', async () => {
    await addNotes(call, { Delta: 'The univarsity is a proper name.' });
    const { didYouMean, results } = await search(call, 'univarsity');
    expect([didYouMean, results[0]?.title]).toEqual([null, 'Delta']);
  });

  test('is never corrected to a word of another account', async () => {
    const { didYouMean, total } = await search(app.as(), 'univrsity');
    expect([didYouMean, total]).toEqual([null, 0]);
  });

  test('begins a word that is still being typed', async () => {
    expect(await titlesFor(call, 'univers')).toEqual(expect.arrayContaining(['Alpha']));
  });
});
