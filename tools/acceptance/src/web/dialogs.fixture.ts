import type { Page } from 'playwright-core';
import { logIn, type Person, registrationInput } from '../accounts.ts';
import type { Atrium } from '../atrium.ts';
import { call, text } from '../client.ts';
import { OPERATOR } from '../shared-atrium.fixture.ts';
import { logInAs } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { followRequests } from './network.ts';
import { addMember, callNotes, createNotes } from './notes.ts';
import { enableTotp, totpCode } from './second-factor.ts';
import { subscribe } from './webhook.fixture.ts';

/** An operator at /notes, with one of each thing that a dialog is about, and grace, who is a member. */
export async function startDialogs() {
  const journeys = await startJourneys();
  const { atrium, createAccount, visit } = journeys;
  const [person, grace] = await Promise.all([
    createAccount(registrationInput(OPERATOR)),
    createAccount('grace'),
  ]);
  const things = await createThings(atrium, person, grace);
  // Another session, beside the one of the account's first login.
  await logIn(atrium.urls.auth, person);
  const { secret, recoveryCodes } = await enableTotp(atrium.urls.auth, person);
  const visitor = await visit();
  await openNotes(visitor.page, person, secret);
  await chooseScreenshots(visitor.page);
  const pages = pagesOf(things, grace);
  // What a page asks for again may come late, when it is no longer so.
  const answered = followRequests(visitor.page, /\/(invitations\?|api\/notes\/\w+$)/);
  return {
    atrium,
    person,
    grace,
    things,
    pages,
    recoveryCodes,
    visitor: { ...visitor, answered },
  };
}

async function createThings(atrium: Atrium, person: Person, member: Person) {
  const { urls } = atrium;
  const send = (method: string, path: string, body?: object) =>
    callNotes(urls.notes, person, method, path, body);
  const notes = [{ title: 'Plans', tags: ['bulbs'], content: 'one' }, { title: 'Old' }];
  const ids = await createNotes(urls.notes, person, 'Garden', notes);
  const [workspace = '', note = '', deleted = ''] = ids;
  await send('DELETE', `/api/notes/${deleted}`);
  await send('POST', `/api/notes/${note}/copy`, { isTemplate: true });
  await addMember(atrium, person, workspace, { person: member, role: 'editor' });
  const guest = { email: 'linus@example.com', role: 'viewer' };
  const invited = await send('POST', `/api/workspaces/${workspace}/invitations`, guest);
  const created = await call('POST', `${urls.links}/api/links`, {
    token: person.accessToken,
    body: { url: 'https://example.com/', slug: 'garden' },
  });
  return {
    workspace,
    note,
    invitation: text(invited.body, 'id'),
    link: text(created.body, 'id'),
    webhook: await subscribe(atrium, person, 'http://127.0.0.1:9/'),
  };
}

async function openNotes(page: Page, person: Person, secret: string): Promise<void> {
  await page.goto('/login?return_to=%2Fnotes');
  await logInAs(page, person.email);
  await page.getByLabel('Verification code').fill(totpCode(secret, 1));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
}

/** Answers each question for a file with a picture of the page. */
async function chooseScreenshots(page: Page): Promise<void> {
  const buffer = await page.screenshot();
  page.on('filechooser', (chooser) => {
    void chooser.setFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  });
}

type Openers = [button: string, entries?: string[]][];

/** The pages, and the buttons and menus that open their dialogs. */
function pagesOf(
  { workspace, note, webhook }: Awaited<ReturnType<typeof createThings>>,
  grace: Person,
): [page: string, path: string, openers: Openers][] {
  return [
    [
      'notes',
      '/notes',
      [['New workspace'], ['Actions for Garden', ['Import', 'Rename', 'Delete']]],
    ],
    ['a workspace', `/workspaces/${workspace}`, [['From a template']]],
    ['tags', `/workspaces/${workspace}/tags`, [['Actions for bulbs', ['Rename', 'Delete']]]],
    [
      'members',
      `/workspaces/${workspace}/members`,
      [
        ['Actions for Ada Example', ['Make owner', 'Remove']],
        ['Revoke the invitation to linus@example.com'],
      ],
    ],
    ['a note', `/notes/${note}`, [['Share'], ['More', ['Move or copy']]]],
    ['history', `/notes/${note}/history`, [['Name current version']]],
    ['trash', '/trash', [['Empty trash'], ['Delete for good: Old']]],
    ['links', '/links', [['New link']]],
    ['webhooks', '/webhooks', [['New webhook']]],
    [
      'a webhook',
      `/webhooks/${webhook}?tab=settings`,
      [['Rotate secret'], ['Change headers'], ['Change destination']],
    ],
    ['deliveries', '/deliveries', [['Recover failed']]],
    [
      'an account, for operators',
      `/operator/accounts/${grace.id}`,
      [['Change to Pro'], ['Log out everywhere'], ['Suspend account']],
    ],
    ['profile', '/account', [['Upload picture'], ['Change email']]],
    [
      'security',
      '/account/security',
      [['Change password'], ['Remove'], ['Add passkey'], ['Create new codes']],
    ],
    ['sessions', '/account/sessions', [['Log out all others'], ['Log out Chrome on Linux']]],
    ['data', '/account/data', [['Delete account']]],
  ];
}
