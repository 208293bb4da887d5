import { afterEach, expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { dialogsOf, expectFocus } from './dialogs.ts';
import { startDialogs } from './dialogs.fixture.ts';
import { keyboard } from './input-methods.ts';
import { callNotes } from './notes.ts';
import { totpCode } from './second-factor.ts';

const { atrium, person, grace, things, pages, recoveryCodes, visitor } = await startDialogs();
const { workspace, note, invitation, link, webhook } = things;
const { page, answered } = visitor;
const { goTo, dialog, button, inDialog, open, expectTrap, leaveMenu, leaveDialog } =
  dialogsOf(page);

afterEach(() => visitor.expectNoFaults());

test.each(pages)('dialogs are opened and left by keyboard: %s', async (_page, path, openers) => {
  await goTo(path);
  for (const [name, entries] of openers) {
    if (entries !== undefined) await leaveMenu(button(name));
    for (const entry of entries ?? [undefined]) {
      await open(button(name), entry);
      await leaveDialog(button(name));
    }
  }
});

test('operators give a reason', async () => {
  await goTo(`/operator/accounts/${grace.id}`);
  const actions = [
    ['Change to Pro', `${grace.username} has the plan Pro`, 'Change to Free'],
    ['Log out everywhere', `${grace.username} is logged out everywhere`, 'Log out everywhere'],
    ['Suspend account', `${grace.username} is suspended`, 'Lift suspension'],
    ['Lift suspension', `${grace.username} can log in again`, 'Suspend account'],
  ] as const;
  for (const [action, done, next] of actions) {
    await open(button(action));
    await keyboard.fill(dialog.getByLabel('Reason'), 'They asked for it');
    await keyboard.press(inDialog(action));
    await page.getByText(done).waitFor();
    await expectFocus(button(next));
  }
});

test('custom headers are added, removed and saved', async () => {
  await goTo(`/webhooks/${webhook}?tab=settings`);
  await open(button('Change headers'));
  await keyboard.fill(dialog.getByLabel('Name of header 1'), 'x-team');
  await keyboard.fill(dialog.getByLabel('Value of header 1'), 'blue');
  await keyboard.press(inDialog('Add a header'));
  await expectFocus(dialog.getByLabel('Name of header 2'));
  await keyboard.press(inDialog('Remove header 2'));
  await expectFocus(dialog.getByLabel('Name of header 1'));
  await keyboard.press(inDialog('Remove header 1'));
  await expectFocus(inDialog('Add a header'));
  await page.keyboard.press('Enter');
  await page.keyboard.type('x-team');
  await keyboard.fill(dialog.getByLabel('Value of header 1'), 'red');
  await keyboard.press(inDialog('Save headers'));
  await page.getByText('Headers saved').waitFor();
  await expectFocus(button('Change headers'));
});

test('a secret is rotated, and failed deliveries are recovered', async () => {
  await goTo(`/webhooks/${webhook}?tab=settings`);
  await open(button('Rotate secret'));
  await keyboard.press(inDialog('Rotate secret'));
  await inDialog('I have stored it').waitFor();
  await expectTrap();
  await page.keyboard.press('Escape');
  await keyboard.press(inDialog('I have stored it'));
  await expectFocus(button('Rotate secret'));

  await goTo('/deliveries');
  await open(button('Recover failed'));
  await keyboard.press(inDialog('Recover failed'));
  await dialog.getByRole('status').waitFor();
  await expectTrap();
  await keyboard.press(inDialog('Close').last());
  await expectFocus(button('Recover failed'));
});

test('a member is removed, and a refused action says why', async () => {
  await goTo(`/workspaces/${workspace}/members`);
  await open(button('Actions for Ada Example'), 'Remove');
  await keyboard.press(inDialog('Remove'));
  await page.getByText('Ada Example is removed').waitFor();
  await expectFocus(page.getByRole('main'));

  const revoke = 'Revoke the invitation to linus@example.com';
  await open(button(revoke));
  await answered();
  const path = `/api/workspaces/${workspace}/invitations/${invitation}`;
  await callNotes(atrium.urls.notes, person, 'DELETE', path);
  await keyboard.press(inDialog('Revoke invitation'));
  await dialog.getByRole('alert').getByText('not found').waitFor();
  await leaveDialog(button(revoke));
});

test('a note is shared and made private again', async () => {
  await goTo(`/notes/${note}`);
  await open(button('Share'));
  await keyboard.press(inDialog('Create public link'));
  await inDialog('Copy link').waitFor();
  await expectTrap();
  await leaveMenu(inDialog('Copy as'));
  await keyboard.press(inDialog('Stop sharing'));
  await inDialog('Create public link').waitFor();
  await leaveDialog(button('Share'));
});

test('what was changed elsewhere is chosen', async () => {
  // A page that hears of nothing.
  await page.route('**/presence', (route) => route.fulfill({ status: 404 }));
  await goTo('/notes');
  await goTo(`/notes/${note}`);
  await page.getByRole('textbox', { name: 'Note' }).focus();
  await answered();
  await callNotes(atrium.urls.notes, person, 'PATCH', `/api/notes/${note}`, { content: 'two' });
  await page.keyboard.type('three');
  const compare = button('Compare and choose');
  await open(compare);
  await leaveDialog(compare);
  await open(compare);
  await expectFocus(dialog.getByLabel('Keep yours'));
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await keyboard.press(inDialog('Apply choices'));
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.unroute('**/presence');
});

test('a link is copied as a command, and its QR code downloaded', async () => {
  await goTo(`/links/${link}`);
  const copyAs = page.getByRole('button', { name: /^(Copy as|Copied)$/ });
  await leaveMenu(copyAs);
  await open(copyAs, 'Copy as curl');
  await expectFocus(copyAs);
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl /);
  const download = page.waitForEvent('download');
  await keyboard.press(button('Download PNG'));
  expect((await download).suggestedFilename()).toBe('garden.png');
  await expectFocus(button('Download PNG'));
});

test('a picture is moved and saved', async () => {
  await goTo('/account');
  await open(button('Upload picture'));
  await expectFocus(dialog.getByRole('slider', { name: 'Your picture' }));
  await page.keyboard.press('ArrowLeft');
  await keyboard.press(dialog.getByRole('slider', { name: 'Zoom' }));
  await page.keyboard.press('End');
  await keyboard.press(inDialog('Save picture'));
  await page.getByText('Picture saved').waitFor();
  await expectFocus(button('Upload picture'));
});

test('an authenticator app and recovery codes are replaced', async () => {
  /** Reads the recovery codes that are shown, which only a button closes. */
  const takeCodes = async () => {
    await inDialog('I have saved them').waitFor();
    await expectTrap();
    await page.keyboard.press('Escape');
    const codes = await dialog.getByRole('listitem').allTextContents();
    await keyboard.press(inDialog('I have saved them'));
    return codes;
  };
  const enterPassword = () =>
    keyboard.fill(dialog.getByLabel('Password', { exact: true }), PASSWORD);
  const enterRecoveryCode = async (code = '') => {
    await keyboard.press(inDialog('Use a recovery code'));
    await expectFocus(dialog.getByLabel('Recovery code'));
    await page.keyboard.type(code);
  };
  await goTo('/account/security');
  await open(button('Remove'));
  await enterPassword();
  await enterRecoveryCode(recoveryCodes[0]);
  await page.keyboard.press('Enter');
  await page.getByText('Authenticator app removed').waitFor();
  await expectFocus(button('Set up'));

  for (const isLast of [false, true]) {
    await open(button('Set up'));
    await enterPassword();
    await page.keyboard.press('Enter');
    await expectFocus(dialog.getByLabel('Verification code'));
    if (!isLast) await leaveDialog(button('Set up'));
  }
  const key = await dialog.getByRole('code').textContent();
  await keyboard.fill(
    dialog.getByLabel('Verification code'),
    totpCode(key?.replaceAll(' ', '') ?? ''),
  );
  await page.keyboard.press('Enter');
  const codes = await takeCodes();
  await expectFocus(button('Remove'));

  await open(button('Create new codes'));
  await enterPassword();
  await enterRecoveryCode(codes[0]);
  await page.keyboard.press('Enter');
  await takeCodes();
  await expectFocus(button('Create new codes'));
});

test('other sessions are ended, one and then all', async () => {
  await goTo('/account/sessions');
  for (const [opener, submit, done] of [
    ['Log out Chrome on Linux', 'Log out', 'Chrome on Linux is logged out'],
    ['Log out all others', 'Log out all others', 'All other sessions have ended'],
  ] as const) {
    await open(button(opener));
    await keyboard.press(inDialog(submit));
    await page.getByText(done).waitFor();
    await expectFocus(page.getByRole('main'));
  }
});

test('the palette gives the focus back, and does not open over a dialog', async () => {
  await goTo('/links');
  const palette = page.getByRole('button', { name: /^Search…/ });
  await open(palette);
  await leaveDialog(palette);
  await open(button('New link'));
  await keyboard.fill(dialog.getByLabel('Destination'), 'example.com');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('/plans');
  expect(await dialog.getByLabel('Destination').inputValue()).toBe('example.com/plans');
  await leaveDialog(button('New link'));
});

test('the menu of a phone leads to a page and to the palette', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const menu = button('Open menu');
  await open(menu);
  await leaveDialog(menu);
  const palette = dialog.getByRole('button', { name: /^Search…/ });
  for (const press of [() => keyboard.press(palette), () => page.keyboard.press('Control+K')]) {
    await open(menu);
    await press();
    await page.getByRole('listbox').waitFor();
    await leaveDialog(menu);
  }
  await open(menu);
  await keyboard.press(dialog.getByRole('link', { name: 'Webhooks' }));
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await expectFocus(page.getByRole('main'));
});
