import { expect, test } from 'vitest';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { answerHeaders } from './network.ts';
import { callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

test('notes link to each other, move between workspaces and become templates', async () => {
  const person = await createAccount('organiser');
  const [work = ''] = await createNotes(atrium.urls.notes, person, 'Work', []);
  const [garden = '', plans = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Plans', content: 'First the [[Seeds|seeds]], later [[Trees]].' },
    { title: 'Seeds', content: 'Tulips.\n\n' },
  ]);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const menuItem = (name: string) => page.getByRole('menuitem', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  await page.goto(`/notes/${plans}`);
  const written = page.getByRole('textbox', { name: 'Note' });
  await written.getByRole('link', { name: 'seeds' }).waitFor();
  await expectAccessible(page, 'note-links');
  await written.getByRole('link', { name: 'seeds' }).click({ modifiers: ['ControlOrMeta'] });
  await heading('Seeds').waitFor();
  const linkedFrom = page.getByRole('region', { name: 'Linked from' });
  await linkedFrom.getByRole('link', { name: 'Plans' }).waitFor();
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('See [[pl');
  await page.getByRole('option', { name: 'Plans' }).waitFor();
  await expectAccessible(page, 'note-title-completion');
  await page.keyboard.press('Enter');
  await page.getByText('See [[Plans]]').waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();

  await button('More').click();
  await menuItem('Move or copy').click();
  await button('Move').waitFor();
  await expectAccessible(page, 'note-move');
  await button('Move').click();
  await page.waitForURL(`**/workspaces/${work}`);
  await page.getByRole('link', { name: 'Seeds' }).waitFor();
  await button('Undo').click();
  await page.getByText('“Seeds” is back in Garden').waitFor();

  // No copy of what the page no longer shows.
  await page.goto(`/notes/${plans}`);
  let copies = 0;
  await page.route('**/api/notes/*/copy', async (route) => {
    copies += 1;
    await route.continue();
  });
  const headers = answerHeaders(atrium.urls.web);
  await page.route(`**/api/notes/${plans}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 422, headers, json: { error: 'Validation Error', message: 'No' } })
      : route.continue(),
  );
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.type('New. ');
  await button('More').click();
  await menuItem('Save as a template').click();
  await page.getByText('No', { exact: true }).waitFor();
  expect(copies).toBe(0);
  await page.unroute(`**/api/notes/${plans}`);
  await button('More').click();
  await menuItem('Save as a template').click();
  await page.getByText('Template “Plans” saved').waitFor();
  await page.goto(`/workspaces/${garden}`);
  await button('From a template').click();
  await button('Plans').waitFor();
  await expectAccessible(page, 'templates');
  await button('Plans').click();
  await heading('Plans').waitFor();
  visitor.expectNoFaults();
});

test('the page of a workspace shows nothing of another one while it is loaded', async () => {
  const person = await createAccount('walker');
  const [shed = ''] = await createNotes(atrium.urls.notes, person, 'Shed', [{ title: 'Rakes' }]);
  const [garden = '', beds = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Beds' },
  ]);
  await callNotes(atrium.urls.notes, person, 'POST', `/api/notes/${beds}/copy`, {
    isTemplate: true,
  });
  await using visitor = await openAs(person, `/workspaces/${garden}`, 'Garden');
  const { page } = visitor;
  const template = page.getByRole('button', { name: 'From a template' });
  await page.getByRole('link', { name: 'Beds' }).waitFor();
  await template.waitFor();
  const loading = Promise.withResolvers<void>();
  await page.route(new RegExp(`/workspaces/${shed}/(notes|templates)`), async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.getByRole('treeitem', { name: 'Shed' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shed' }).waitFor();
  await page.getByRole('main').getByRole('group', { name: 'Loading' }).waitFor();
  expect(await page.getByRole('link', { name: 'Beds' }).count()).toBe(0);
  expect(await template.count()).toBe(0);
  loading.resolve();
  await page.getByRole('link', { name: 'Rakes' }).waitFor();
  visitor.expectNoFaults();
});

test('the list of all workspaces stays whole while it is loaded again', async () => {
  const person = await createAccount('collector');
  const [garden = ''] = await createNotes(atrium.urls.notes, person, 'Garden', []);
  await createNotes(atrium.urls.notes, person, 'Shed', []);
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  const loading = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  let isAgain = false;
  await page.route(/\/api\/workspaces\?/, async (route) => {
    const url = route.request().url();
    if (isAgain && url.includes('cursor=')) {
      again.resolve();
      await loading.promise;
    }
    await route.continue({ url: url.replace('limit=100', 'limit=1') });
  });
  const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
  await page.goto(`/workspaces/${garden}`);
  await row('Garden').waitFor();
  await row('Shed').waitFor();
  isAgain = true;
  await page.getByRole('button', { name: 'New note' }).first().click();
  await again.promise;
  expect([await row('Garden').count(), await row('Shed').count()]).toEqual([1, 1]);
  loading.resolve();
});

test('titles are offered however many notes of other workspaces have them', async () => {
  const person = await createAccount('linker');
  const [, id = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [
    { title: 'Seeds' },
    { title: 'Plans for autumn' },
  ]);
  const others = Array.from({ length: 51 }, (_, index) => ({ title: `Plans ${index}` }));
  await createNotes(atrium.urls.notes, person, 'Work', others);
  await using visitor = await openAs(person, `/notes/${id}`, 'Seeds');
  const { page } = visitor;
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.type('See [[pla');
  await page.getByRole('option', { name: 'Plans for autumn' }).waitFor();
  visitor.expectNoFaults();
});
