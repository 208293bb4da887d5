import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { text } from '../client.ts';
import { startJourneys } from './journeys.ts';
import { answerHeaders, REJECTION } from './network.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A workspace with a note that has three children, and another one. */
async function createGarden(name: string) {
  const person = await createAccount(name);
  const { notes: url } = atrium.urls;
  await createNotes(url, person, 'Shed', []);
  const [garden = '', beds = ''] = await createNotes(url, person, 'Garden', [{ title: 'Beds' }]);
  const ids: string[] = [];
  for (const title of ['Roses', 'Tulips', 'Asters']) {
    const path = `/api/workspaces/${garden}/notes`;
    const { body } = await callNotes(url, person, 'POST', path, { title, parentId: beds });
    ids.push(text(body, 'id'));
  }
  return { person, garden, beds, ids };
}

const titlesOf = async (person: Person, workspaceId: string, parentId?: string) => {
  const query = parentId === undefined ? '' : `?parentId=${parentId}`;
  const path = `/api/workspaces/${workspaceId}/tree${query}`;
  const { body } = await callNotes(atrium.urls.notes, person, 'GET', path);
  return (body['data'] as { title: string }[]).map(({ title }) => title);
};

test('a move that is undone puts a note back where it was', async () => {
  const { person, garden, beds, ids } = await createGarden('returner');
  await using visitor = await openAs(person, `/notes/${ids[1]}`, 'Tulips');
  const { page } = visitor;
  const moveAndUndo = async () => {
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Move or copy' }).click();
    await button(page, 'Move').click();
    await page.getByText('“Tulips” is in Shed now').waitFor();
    await button(page, 'Undo').last().click();
    await page.getByText('“Tulips” is back in Garden').last().waitFor();
  };
  await moveAndUndo();
  await expect.poll(() => titlesOf(person, garden, beds)).toEqual(['Roses', 'Tulips', 'Asters']);

  await page.goto(`/notes/${ids[1]}`);
  await page.route('**/place', (route) =>
    route.fulfill({ status: 409, headers: answerHeaders(atrium.urls.web), json: REJECTION }),
  );
  await moveAndUndo();
  await page.getByText(REJECTION.message).waitFor();
  expect(await titlesOf(person, garden)).toEqual(['Beds', 'Tulips']);
  visitor.expectNoFaults();
});
