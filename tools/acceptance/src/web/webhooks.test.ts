import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verifyWebhook } from '@atrium/client/webhooks';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { inputMethod } from './input-methods.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';
import { share, startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs } = await startJourneys();

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a webhook is made, tested, and shown with its secret once', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('maker');
  await using visitor = await openAs(person, '/webhooks', 'Webhooks');
  const { page } = visitor;
  await page.getByText('A webhook sends events of your account').waitFor();
  await expectAccessible(page, 'webhooks-empty');
  await inputMethod.press(button(page, 'New webhook').first());
  await expectFocus(dialog(page).getByLabel('Endpoint URL'));
  await inputMethod.press(button(page, 'Add a condition'));
  await inputMethod.press(button(page, 'Create webhook'));
  await page.getByText('Choose at least one event').waitFor();
  await dialog(page).getByText('Enter a path such as data.title').waitFor();
  await expectFocus(dialog(page).getByLabel('Endpoint URL'));
  await expectAccessible(page, 'webhook-new-errors');
  await inputMethod.fill(dialog(page).getByLabel('Endpoint URL'), 'ftp://example.com');
  await inputMethod.press(button(page, 'Create webhook'));
  await inputMethod.fill(dialog(page).getByLabel('Endpoint URL'), `${endpoint.url}/hook`);
  await inputMethod.press(button(page, 'Create webhook'));
  await expectFocus(dialog(page).getByRole('checkbox').first());
  await dialog(page).getByLabel('note.shared').check();
  await inputMethod.fill(dialog(page).getByLabel('Description'), 'Team chat');
  await expectAccessible(page, 'webhook-new');
  await inputMethod.press(button(page, 'Other destination'));
  await expectAccessible(page, 'webhook-new-destination');
  await dialog(page).getByLabel('Destination').selectOption('HTTP');
  await inputMethod.press(button(page, 'Create webhook'));
  await expectFocus(dialog(page).getByLabel('Path of condition 1'));
  await inputMethod.fill(dialog(page).getByLabel('Path of condition 1'), 'data.title');
  await inputMethod.choose(dialog(page).getByLabel('Comparison of condition 1'), 'is there');
  await expectAccessible(page, 'webhook-new-filter');
  await inputMethod.press(button(page, 'Create webhook'));
  await page.getByRole('heading', { name: 'Webhook created' }).waitFor();
  await expectAccessible(page, 'webhook-secret');
  const secret = await dialog(page).locator('pre').innerText();
  expect(secret).toMatch(/^whsec_/);
  await inputMethod.press(button(page, 'I have stored it'));
  await page.getByRole('heading', { name: 'Team chat', level: 1 }).waitFor();
  await inputMethod.press(button(page, 'Send test event'));
  await page.getByText('Status 200').waitFor();
  await expectAccessible(page, 'webhook-test');
  await inputMethod.press(page.getByRole('link', { name: 'Overview' }));
  await page.getByText('1 of 1 attempts succeeded (100%).').waitFor();
  await expectAccessible(page, 'webhook');
  expect(await page.content()).not.toContain(secret);
  await inputMethod.press(page.getByRole('link', { name: 'Settings' }));
  expect(await page.getByLabel('Path of condition 1').inputValue()).toBe('data.title');

  await inputMethod.press(page.getByRole('link', { name: 'Deliveries' }).last());
  await inputMethod.press(page.getByRole('link', { name: 'note.shared' }));
  await inputMethod.press(button(page, 'Replay as curl'));
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
  });
  const [request, replayed] = await endpoint.waitFor(2);
  const { rawBody = '', headers = {} } = replayed ?? {};
  await verifyWebhook(String(rawBody), headers, secret);
  expect(headers['service-signature']).toBe(request?.headers['service-signature']);

  await page.goto('/webhooks/verify');
  await inputMethod.fill(page.getByLabel('Body'), String(request?.rawBody));
  await inputMethod.fill(page.getByLabel('Secret or public key'), `${secret} `);
  const signature = String(request?.headers['service-signature']);
  await inputMethod.fill(page.getByLabel('Service-Signature or webhook-signature'), signature);
  await inputMethod.press(button(page, 'Check'));
  await page.getByText('There is space or a line break around the secret.').waitFor();
  await expectAccessible(page, 'webhook-verify');
  await inputMethod.fill(page.getByLabel('Secret or public key'), secret);
  await inputMethod.press(button(page, 'Check'));
  await page.getByText('It verifies').waitFor();
  const standard = String(request?.headers['webhook-signature']);
  await inputMethod.fill(page.getByLabel('Service-Signature or webhook-signature'), standard);
  await inputMethod.fill(page.getByLabel('webhook-id'), String(request?.headers['webhook-id']));
  const sentAt = String(request?.headers['webhook-timestamp']);
  await inputMethod.fill(page.getByLabel('webhook-timestamp'), sentAt);
  await inputMethod.press(button(page, 'Check'));
  await page.getByText('It verifies').waitFor();
  await expectAccessible(page, 'webhook-verify-standard');
  visitor.expectNoFaults();
});

test('a webhook is changed, paused, given a new secret, deleted and restored', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('keeper');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await using visitor = await openAs(person, `/webhooks/${id}`, 'Team chat');
  const { page } = visitor;
  await button(page, 'Pause').click();
  await page.getByText('This webhook is paused').waitFor();
  await button(page, 'Resume').click();
  await page.getByText('Webhook resumed').waitFor();

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Deliveries per second at most').fill('many');
  await page.getByLabel('Description').fill('Chat of the whole team, which has a rather long name');
  await button(page, 'Save').click();
  await page.getByText('Enter a whole number').waitFor();
  await expectAccessible(page, 'webhook-settings-error');
  await page.getByLabel('Deliveries per second at most').fill('50');
  await button(page, 'Save').click();
  await page.getByText('Settings saved').waitFor();

  await button(page, 'Change headers').click();
  await dialog(page).getByLabel('Name of header 1').fill('X-Api-Key');
  await dialog(page).getByLabel('Value of header 1').fill('sesame');
  await expectAccessible(page, 'webhook-headers');
  await button(page, 'Save headers').click();
  await page.getByText('X-Api-Key').waitFor();

  await button(page, 'Rotate secret').click();
  await dialog(page).getByLabel('Sign with a key pair').check();
  await expectAccessible(page, 'webhook-rotate');
  await dialog(page).getByRole('button', { name: 'Rotate secret' }).click();
  await dialog(page).getByText('The old secret is valid until').waitFor();
  await expectAccessible(page, 'webhook-rotated');
  const [secret = '', publicKey = ''] = await dialog(page).locator('pre').allInnerTexts();
  await button(page, 'I have stored it').click();
  await page.getByText('The old secret is valid until').waitFor();
  await page.getByText(publicKey, { exact: true }).waitFor();
  await expectAccessible(page, 'webhook-key-pair');
  await button(page, 'Rotate secret').click();
  await dialog(page).getByText('of the rotation before is still valid. It ends at once').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Test' }).click();
  await button(page, 'Send test event').click();
  const [{ headers, rawBody } = expect.fail('nothing was sent')] = await endpoint.waitFor(1);
  await verifyWebhook(String(rawBody), headers, publicKey);
  await page.goto('/webhooks/verify');
  await page.getByLabel('Body').fill(String(rawBody));
  await page.getByLabel('Secret or public key').fill(secret);
  const [signature = ''] = String(headers['webhook-signature']).split(' ');
  await page.getByLabel('Service-Signature or webhook-signature').fill(signature);
  for (const header of ['webhook-id', 'webhook-timestamp']) {
    await page.getByLabel(header).fill(String(headers[header]));
  }
  await button(page, 'Check').click();
  await page.getByText('paste the public key, which begins with whpk_').waitFor();
  await page.getByLabel('Secret or public key').fill(publicKey);
  await button(page, 'Check').click();
  await page.getByText('It verifies').waitFor();
  await page.goto(`/webhooks/${id}?tab=deliveries`);
  await page.locator('[aria-current=page]', { hasText: 'Deliveries' }).waitFor();
  await page.goto(`/webhooks/${id}?tab=settings`);

  await button(page, 'Delete webhook').click();
  await page.getByText('Webhook deleted').waitFor();
  await page.getByText('A webhook sends events of your account').waitFor();
  await button(page, 'Undo').click();
  await page.getByRole('link', { name: 'Chat of the whole team' }).waitFor();
  await expectAccessible(page, 'webhooks');

  endpoint.answerWith({ status: 410 });
  await share(atrium, person);
  await endpoint.waitFor(2);
  await page.getByRole('link', { name: 'Chat of the whole team' }).click();
  await page.getByText('This webhook is disabled').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('1 of 2 attempts succeeded (50%).').waitFor();
  await expectAccessible(page, 'webhook-disabled');
  await call('PATCH', `${atrium.urls.webhooks}/api/webhooks/${id}`, {
    token: person.accessToken,
    body: { paused: true },
  });
  await page.goto('/');
  await page.getByText('Disabled').waitFor();
  await page.getByText('For all').waitFor();
  await expectAccessible(page, 'home');
  await page.getByRole('link', { name: 'Chat of the whole team' }).click();
  await button(page, 'Enable and resume').click();
  await page.getByText('Webhook enabled').waitFor();
  await button(page, 'Pause').waitFor();
  visitor.expectNoFaults();
});

test('a webhook whose endpoint fails says since when and is tried at once when it is mended', async () => {
  await using endpoint = await startEndpoint();
  endpoint.answerWith({ status: 503, headers: { 'retry-after': '1800' } });
  const person = await createAccount('mender');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await share(atrium, person);
  await endpoint.waitFor(1);
  await using visitor = await openAs(person, '/webhooks', 'Webhooks');
  const { page } = visitor;
  await page.getByText('last answer 503').waitFor();
  await page.getByText('1 waiting').waitFor();
  await page.getByRole('img', { name: '0% of 1 attempts in 24 hours succeeded' }).waitFor();
  await expectAccessible(page, 'webhooks-failing');
  await page.getByRole('link', { name: 'Team chat' }).click();
  await page.waitForURL(new RegExp(`/webhooks/${id}$`));
  await page.getByText('1 waiting').waitFor();
  await expectAccessible(page, 'webhook-failing');
  endpoint.answerWith({ status: 200 });
  await button(page, 'Try now').click();
  await page.getByText('The oldest delivery is sent now').waitFor();
  await endpoint.waitFor(2);
  await page.getByRole('main').getByRole('listitem').getByText('Delivered').waitFor();
  visitor.expectNoFaults();
});

test('a test event for a paused webhook says that it is kept', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('pauser');
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`);
  await call('PATCH', `${atrium.urls.webhooks}/api/webhooks/${id}`, {
    token: person.accessToken,
    body: { paused: true },
  });
  await using visitor = await openAs(person, `/webhooks/${id}?tab=test`, 'Team chat');
  const { page } = visitor;
  await button(page, 'Send test event').click();
  await page.getByText('It is sent when you resume the webhook').waitFor();
  visitor.expectNoFaults();
});
