import { expect, test } from 'vitest';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';
import { createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

test('what is typed before a new note has come is its title', async () => {
  const person = await createAccount('eager');
  const [garden = ''] = await createNotes(atrium.urls.notes, person, 'Garden', []);
  await using visitor = await openAs(person, `/workspaces/${garden}`, 'Garden');
  const { page } = visitor;
  const asked = Promise.withResolvers<void>();
  const come = Promise.withResolvers<void>();
  let notesMade = 0;
  await page.route('**/notes', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    notesMade += 1;
    asked.resolve();
    await come.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'New note' }).first().click();
  await asked.promise;
  // Alone, some of these keys lead somewhere else, and a space presses the button again.
  await page.keyboard.type('A clear goal?');
  await page.keyboard.press('Backspace');
  come.resolve();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect.poll(() => title.inputValue()).toBe('A clear goal');
  await page.keyboard.type('s');
  await expect.poll(() => title.inputValue()).toBe('A clear goals');
  expect(notesMade).toBe(1);
  visitor.expectNoFaults();
});

test('a new note is made in the workspace of the note that is open', async () => {
  const person = await createAccount('two-places');
  const { notes } = atrium.urls;
  const [, beds] = await createNotes(notes, person, 'Garden', [{ title: 'Beds' }]);
  const [, tools] = await createNotes(notes, person, 'Shed', [{ title: 'Tools' }]);
  await using visitor = await openAs(person, `/notes/${beds}`, 'Beds');
  const { page } = visitor;
  for (const [id, workspace] of [
    [beds, 'Garden'],
    [tools, 'Shed'],
  ] as const) {
    await page.goto(`/notes/${id}`);
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.waitFor();
    await page.getByRole('main').focus();
    await page.keyboard.press('c');
    await expect.poll(() => title.inputValue()).toBe('Untitled note');
    const place = page.getByRole('navigation', { name: 'Where the note is' });
    await place.getByText(workspace).waitFor();
  }
  visitor.expectNoFaults();
});

test('a pasted title that is too long is cut, and the page says so', async () => {
  const person = await createAccount('paster');
  const [garden = ''] = await createNotes(atrium.urls.notes, person, 'Garden', []);
  await using visitor = await openAs(person, `/workspaces/${garden}`, 'Garden');
  const { page } = visitor;
  await page.getByRole('button', { name: 'New note' }).first().click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expectFocus(title);
  await page.evaluate("navigator.clipboard.writeText('x'.repeat(200))");
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(() => title.inputValue()).toBe('x'.repeat(200));
  const message = page.getByText('A title has at most 200 characters: the rest was left out');
  expect(await message.count()).toBe(0);
  await page.keyboard.press('ControlOrMeta+v');
  await message.waitFor();
  await expect.poll(() => title.inputValue()).toBe('x'.repeat(200));
  visitor.expectNoFaults();
});
