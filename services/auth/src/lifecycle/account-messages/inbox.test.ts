import { invitationContext } from '@atrium/contracts/account-messages';
import { newId } from '@atrium/contracts/ids';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, startTestApp, TEST_KEYS, type TestApp } from '../../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

const envelope = (accountId: string) => ({ accountId, createdAt: new Date().toISOString() });

test('a message about a disabled webhook sends one email, however often it arrives', async () => {
  const ada = await makeAccount(app, 'webhook-owner');
  const data = { webhookId: newId('whk'), url: 'https://receiver.example/hook', reason: 'Gone.' };
  const message = {
    ...envelope(ada.id),
    id: newId('msg'),
    kind: 'webhook.disabled' as const,
    data,
  };
  await Promise.all([app.receive(message), app.receive(message), app.receive(message)]);
  await app.receive(message);
  const mails = await app.db.query(`SELECT 1 FROM email_messages WHERE kind = 'webhook-disabled'`);
  expect(mails).toHaveLength(1);
  const isAbout = ({ to, text }: { to: string[]; text: string }) =>
    to.includes(ada.email) && text.includes(data.url);
  expect((await app.mailbox.waitFor(isAbout)).text).toContain('Gone.');
});

test('an invitation to a workspace sends one email to its address, with who invites', async () => {
  const ada = await makeAccount(app, 'inviting-ada');
  const email = 'invited.guest@example.com';
  const token = parseKeyRing([TEST_KEYS]).encrypt('token-of-the-link', invitationContext(email));
  const message = {
    ...envelope(ada.id),
    id: newId('msg'),
    kind: 'workspace.invited' as const,
    data: { email, workspaceName: 'Garden', role: 'viewer' as const, token },
  };
  await Promise.all([app.receive(message), app.receive(message)]);
  const isInvitation = ({ to }: { to: string[] }) => to.includes(email);
  const { text } = await app.mailbox.waitFor(isInvitation);
  expect(text).toContain(`(${ada.username})`);
  expect(text).toContain('Garden');
  expect(text).toContain('https://web.example/invitations/token-of-the-link');
  const mails = await app.db.query(`SELECT 1 FROM email_messages WHERE kind = 'workspace-invited'`);
  expect(mails).toHaveLength(1);
});
