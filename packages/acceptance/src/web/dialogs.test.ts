import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person } from '../accounts.ts';
import { startJourneys } from './journeys.ts';
import { callNotes, createNotes } from './notes.ts';
import { subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const STEPS_MAX = 12;

const isFocused = (element: Locator) =>
  expect
    .poll(() => element.evaluate((node) => node.ownerDocument.activeElement === node), {
      message: `${String(element)} has the focus`,
    })
    .toBe(true);

/** Chooses an entry of the menu that is open: arrows or Tab, then Enter. */
async function choose(page: Page, name: string): Promise<void> {
  const entry = page
    .locator('[role=menu], [popover]')
    .locator('[role=menuitem], button, a')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .first();
  await entry.waitFor();
  const isMenu = (await page.getByRole('menu').count()) > 0;
  const focused = entry.and(page.locator(':focus'));
  for (let steps = 0; steps < STEPS_MAX && (await focused.count()) === 0; steps += 1) {
    await page.keyboard.press(isMenu ? 'ArrowDown' : 'Tab');
  }
  await isFocused(entry);
  await page.keyboard.press('Enter');
}

/** Opens a dialog, goes round in it and leaves it: the focus is in it meanwhile, and then where it was. */
async function useDialog(page: Page, opener: Locator, entry?: string): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  if (entry !== undefined) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await isFocused(opener);
    await page.keyboard.press('Enter');
    await choose(page, entry);
  }
  const dialog = page.getByRole('dialog');
  const inside = dialog.locator(':focus');
  await inside.waitFor();
  for (const key of ['Shift+Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key);
    expect(await inside.count(), `${String(opener)}, ${entry ?? ''}: ${key} stays inside`).toBe(1);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await isFocused(opener);
}

/** One of each thing that a dialog below is about. */
async function createThings(person: Person) {
  const [workspace = '', note = '', deleted = ''] = await createNotes(
    atrium.urls.notes,
    person,
    'Garden',
    [{ title: 'Plans', tags: ['bulbs'] }, { title: 'Old' }],
  );
  const send = (method: string, path: string, body?: unknown) =>
    callNotes(atrium.urls.notes, person, method, path, body);
  await send('DELETE', `/api/notes/${deleted}`);
  await send('POST', `/api/notes/${note}/copy`, { isTemplate: true });
  const invitation = { email: 'grace@example.com', role: 'viewer' };
  await send('POST', `/api/workspaces/${workspace}/invitations`, invitation);
  return { workspace, note, webhook: await subscribe(atrium, person, 'http://127.0.0.1:9/') };
}

test('dialogs and menus are opened, used and left by keyboard, and give the focus back', async () => {
  const person = await createAccount('typist');
  const { workspace, note, webhook } = await createThings(person);
  await using visitor = await openAs(person, '/notes', 'Notes');
  const { page } = visitor;
  const dialogs: [path: string, button: string, entries?: string[]][] = [
    ['/notes', 'New workspace'],
    ['/notes', 'Actions for Garden', ['Import', 'Rename', 'Delete']],
    [`/workspaces/${workspace}`, 'From a template'],
    [`/workspaces/${workspace}/tags`, 'Actions for bulbs', ['Rename', 'Delete']],
    [`/workspaces/${workspace}/members`, 'Revoke the invitation to grace@example.com'],
    [`/notes/${note}`, 'Share'],
    [`/notes/${note}`, 'More', ['Move or copy']],
    [`/notes/${note}/history`, 'Name current version'],
    ['/trash', 'Empty trash'],
    ['/trash', 'Delete for good: Old'],
    ['/links', 'New link'],
    ['/webhooks', 'New webhook'],
    [`/webhooks/${webhook}`, 'Rotate secret'],
    ['/deliveries', 'Recover failed'],
    ['/account/security', 'Change password'],
    ['/account/security', 'Add passkey'],
    ['/account/data', 'Delete account'],
  ];
  for (const [path, name, entries = [undefined]] of dialogs) {
    await page.goto(path);
    const opener = page.getByRole('button', { name, exact: true }).first();
    for (const entry of entries) await useDialog(page, opener, entry);
  }
  await useDialog(page, page.getByRole('button', { name: /^Go to/ }));
  await page.setViewportSize({ width: 390, height: 844 });
  await useDialog(page, page.getByRole('button', { name: 'Open menu' }));
  visitor.expectNoFaults();
});
