import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { expectFocus } from './dialogs.ts';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes } from './notes.ts';
import { enableTotp } from './second-factor.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const question = (page: Page) => page.getByRole('heading', { name: 'Leave without saving?' });

/** Leaves in each of these ways, and stays after all. */
async function expectQuestions(page: Page, ways: (() => Promise<unknown>)[]): Promise<void> {
  for (const leave of ways) {
    await leave();
    await question(page).waitFor();
    await button(page, 'Stay').click();
    await question(page).waitFor({ state: 'detached' });
  }
}

const clickBeside = (page: Page) => page.mouse.click(8, 400);

/** The ways in which a dialog is closed by mistake. */
const closings = (page: Page) => [
  () => clickBeside(page),
  () => page.keyboard.press('Escape'),
  () => button(page, 'Close').click(),
];

test('a new webhook is not lost by a click beside its form, nor its secret by going back', async () => {
  const person = await createAccount('new-webhook');
  await using visitor = await openAs(person, '/webhooks', 'Webhooks');
  const { page } = visitor;
  const url = page.getByLabel('Endpoint URL');
  await button(page, 'New webhook').first().click();
  await url.fill('https://example.com/hook');
  await expectQuestions(page, [...closings(page), () => page.goBack()]);
  await url.focus();
  await expectQuestions(page, [() => clickBeside(page)]);
  await expectFocus(url);
  await page.keyboard.press('Escape');
  await expectFocus(button(page, 'Stay'));
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  expect(await url.inputValue()).toBe('https://example.com/hook');

  await page.getByLabel('note.shared').check();
  await button(page, 'Create webhook').click();
  await button(page, 'I have stored it').waitFor();
  await expectQuestions(page, [() => page.goBack()]);
  await button(page, 'I have stored it').click();
  await page.waitForURL(/tab=test/);

  await page.goto('/webhooks?new=true');
  await expectFocus(url);
  await page.keyboard.press('Escape');
  await url.waitFor({ state: 'detached' });
  await button(page, 'New webhook').first().click();
  await url.fill('https://example.com/hook');
  await page.keyboard.press('Escape');
  await button(page, 'Leave').click();
  await url.waitFor({ state: 'detached' });
  await question(page).waitFor({ state: 'detached' });
  await page.waitForURL('/webhooks');
  visitor.expectNoFaults();
});

test('the restrictions of a public note are not lost by a click beside them', async () => {
  const person = await createAccount('restricter');
  const [, note = ''] = await createNotes(atrium.urls.notes, person, 'Garden', [{ title: 'Plan' }]);
  await callNotes(atrium.urls.notes, person, 'POST', `/api/notes/${note}/share`);
  await using visitor = await openAs(person, `/notes/${note}`, 'Plan');
  const { page } = visitor;
  const views = page.getByLabel('How often it can be opened');
  await button(page, 'Share').click();
  await views.fill('12');
  await expectQuestions(page, closings(page));
  expect(await views.inputValue()).toBe('12');
  await button(page, 'Save restrictions').click();
  await page.getByText('The restrictions are saved').waitFor();
  await page.keyboard.press('Escape');
  await views.waitFor({ state: 'detached' });
  visitor.expectNoFaults();
});

test('what proves who one is may be left without a question', async () => {
  const person = await createAccount('prover');
  await using visitor = await openAs(person, '/account', 'Profile');
  const { page } = visitor;
  const { recoveryCodes } = await enableTotp(atrium.urls.auth, person);
  await page.goto('/account/security');
  await button(page, 'Create new codes').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Use a recovery code').click();
  await dialog.getByLabel('Recovery code').fill(String(recoveryCodes[0]));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  visitor.expectNoFaults();
});
