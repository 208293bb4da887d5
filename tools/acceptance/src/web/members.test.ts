import { until } from '@atrium/testkit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { logIn } from '../accounts.ts';
import { call } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { logInAs } from './forms.ts';
import { keyboard } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { acceptInvitation, addMember, callNotes, createNotes } from './notes.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const member = (page: Page, username: string) =>
  page.getByRole('listitem').filter({ hasText: `@${username}` });

test('an owner invites people, changes what they may do and passes the workspace on', async () => {
  const [owner, grace] = [await createAccount('owner'), await createAccount('grace')];
  const [id] = await createNotes(atrium.urls.notes, owner, 'Garden', []);
  await using visitor = await openAs(owner, `/workspaces/${id}/members`, 'Members');
  const { page } = visitor;
  await page.getByText('0 of 3').waitFor();
  await keyboard.press(button(page, 'Invite'));
  await page.getByText('Email is required').waitFor();
  const other = 'a-rather-long-address-of-somebody-else@example.com';
  for (const email of [grace.email, other]) {
    await keyboard.fill(page.getByLabel('Email'), email);
    await page.keyboard.press('Enter');
    await button(page, `Revoke the invitation to ${email}`).waitFor();
  }
  await page.getByText('2 of 3').waitFor();
  await expectAccessible(page, 'members-invitations');
  await keyboard.fill(page.getByLabel('Email'), 'third@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('3 of 3').waitFor();
  // The form has gone.
  await expectFocus(page.getByRole('main'));
  await button(page, /^Send again: invitation to a-rather/).click();
  const sent = async () => (await atrium.mailbox.list()).filter(({ to }) => to.includes(other));
  await expect.poll(sent).toHaveLength(2);
  await button(page, /^Revoke the invitation to a-rather/).click();
  await expectAccessible(page, 'members-revoke');
  await button(page, 'Revoke invitation').click();
  await page.getByText(/is revoked$/).waitFor();
  await acceptInvitation(atrium, grace);
  await page.reload();
  await page.getByLabel('Role of').selectOption('Viewer');
  await page.getByText('is now a viewer').waitFor();
  await button(page, 'Undo').click();
  await page.getByText('is now an editor').waitFor();
  await expectAccessible(page, 'members');
  await member(page, 'grace').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Make owner' }).click();
  await expectAccessible(page, 'members-transfer');
  await button(page, 'Transfer workspace').click();
  await page.getByText('owns Garden now').waitFor();
  await page.getByText('Invitations').waitFor({ state: 'detached' });
  await member(page, 'owner').getByRole('button', { name: 'Leave' }).click();
  await button(page, 'Leave workspace').click();
  await page.getByText('You have left Garden').waitFor();
  await page.getByRole('heading', { name: 'Notes' }).waitFor();
  visitor.expectNoFaults();
});

test('a viewer reads notes and finds nothing that only others may use', async () => {
  const [owner, viewer] = [await createAccount('author'), await createAccount('reader')];
  const [id = '', noteId] = await createNotes(atrium.urls.notes, owner, 'Garden', [
    { title: 'Plans', content: '# October\n\nPlant **tulips**.', tags: ['bulbs', 'spring'] },
  ]);
  await addMember(atrium, owner, id, { person: viewer, role: 'viewer' });
  await using visitor = await openAs(viewer, `/notes/${noteId}`, 'Plans');
  const { page } = visitor;
  await page.getByText('Read only').waitFor();
  await page.getByText('tulips').waitFor();
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  expect(await button(page, /Share|Pin|Delete/).count()).toBe(0);
  await expectAccessible(page, 'note-read-only');
  await page.getByRole('link', { name: 'Show members' }).click();
  await member(page, 'author').getByText('Owner').waitFor();
  expect(await page.getByRole('main').getByRole('combobox').count()).toBe(0);
  await expectAccessible(page, 'members-viewer');
  await page.getByRole('main').getByRole('link', { name: 'Notes' }).click();
  await page.getByRole('link', { name: 'Plans' }).waitFor();
  expect(await button(page, /New note|Pin|Delete/).count()).toBe(0);
  await expectAccessible(page, 'workspace-viewer');
  visitor.expectNoFaults();
});

test('the outline of a note leads a viewer to its headings', async () => {
  const [owner, viewer] = [await createAccount('outliner'), await createAccount('follower')];
  const text = Array.from({ length: 40 }, (_, index) => `Line ${index}`).join('\n\n');
  const content = ['> # Quoted', '- # Listed', '# ', '# Tulips', text, '# Asters', text];
  const [id = '', noteId] = await createNotes(atrium.urls.notes, owner, 'Garden', [
    { title: 'Plans', content: content.join('\n\n') },
  ]);
  await addMember(atrium, owner, id, { person: viewer, role: 'viewer' });
  await using visitor = await openAs(viewer, `/notes/${noteId}`, 'Plans');
  const { page } = visitor;
  const outline = page.getByRole('navigation', { name: 'On this page' });
  const heading = page.getByRole('heading', { name: 'Asters' });
  await heading.waitFor();
  await outline.getByRole('button', { name: 'Asters' }).click();
  const top = async () => Math.round((await heading.boundingBox())?.y ?? Number.NaN);
  const { height = 0 } = page.viewportSize() ?? {};
  await expect.poll(top).toBeLessThan(height / 4);
  expect(await top()).toBeGreaterThanOrEqual(0);
  visitor.expectNoFaults();
});

test('what an editor could not save before becoming a viewer is copied and discarded', async () => {
  const [owner, editor] = [await createAccount('lender'), await createAccount('lowered')];
  const { notes: url } = atrium.urls;
  const [id = '', noteId] = await createNotes(url, owner, 'Garden', [
    { title: 'Plans', content: 'tulips' },
  ]);
  await addMember(atrium, owner, id, { person: editor, role: 'editor' });
  await using visitor = await openAs(editor, `/notes/${noteId}`, 'Plans');
  const { page } = visitor;
  await page.getByRole('textbox', { name: 'Note' }).click();
  await visitor.context.setOffline(true);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and roses');
  await page.getByText('Offline: kept on this device').waitFor();
  const role = `/api/workspaces/${id}/members/${editor.id}`;
  expect((await callNotes(url, owner, 'PATCH', role, { role: 'viewer' })).status).toBe(200);
  await visitor.context.setOffline(false);
  await page.getByText('You can only read this note now').waitFor();
  await expectAccessible(page, 'note-left-over');
  await button(page, 'Discard').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('kept nowhere else').waitFor();
  await visitor.context.setOffline(true);
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.getByText('Atrium cannot be reached').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await visitor.context.setOffline(false);
  await page.getByRole('textbox', { name: 'Title' }).fill('Beds');
  await button(page, 'Copy text').click();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe('# Beds\n\ntulips and roses');
  await button(page, 'Discard').click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Read only').waitFor();
  await page.getByText('tulips').waitFor();
  expect(await page.getByText('roses').count()).toBe(0);
  await page.reload();
  await page.getByText('Read only').waitFor();
});

test('what one member wrote is not saved as another, who logs in next at the same page', async () => {
  const [owner, editor] = [await createAccount('first-writer'), await createAccount('next-writer')];
  const { auth, notes: url } = atrium.urls;
  const [id = '', noteId] = await createNotes(url, owner, 'Garden', [
    { title: 'Plans', content: 'tulips' },
  ]);
  await addMember(atrium, owner, id, { person: editor, role: 'editor' });
  await using visitor = await openAs(owner, `/notes/${noteId}`, 'Plans');
  const { page } = visitor;
  page.on('dialog', (question) => void question.accept());
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.press('Control+End');
  const { accessToken: token } = await logIn(auth, owner);
  await call('DELETE', `${auth}/user/sessions`, { token: owner.accessToken });
  await until(async () => (await call('GET', `${url}/api/workspaces`, { token })).status === 401);
  await page.keyboard.insertText(' and roses');
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
  await Promise.all([page.waitForEvent('load'), logInAs(page, editor.email)]);
  await page.getByText('Saved', { exact: true }).waitFor();
  const { body } = await callNotes(url, editor, 'GET', `/api/notes/${noteId}`);
  expect(body['content']).toBe('tulips');
});
