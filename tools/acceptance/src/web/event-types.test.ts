import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { inputMethod } from './input-methods.ts';
import { signUp } from './forms.ts';
import { startJourneys } from './journeys.ts';
import { startEndpoint, subscribe } from './webhook.fixture.ts';

const { atrium, createAccount, openAs, visit } = await startJourneys();

test('a developer sees the event types of their products, archives one and takes that back', async () => {
  const { accessToken: token, ...developer } = await createAccount('publisher');
  await using visitor = await openAs(developer, '/developers/applications', 'Your applications');
  const { page } = visitor;
  await inputMethod.press(page.getByRole('link', { name: 'Event types' }));
  await page.getByRole('heading', { name: 'Event types', level: 1 }).waitFor();
  await page.getByText('Describe each in a file').waitFor();
  await expectAccessible(page, 'event-types-empty');
  await inputMethod.press(page.getByRole('button', { name: 'Copy the command' }));
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe('atrium events types push events/*.json');

  const name = `shop-${Date.now()}.order_paid`;
  const put = (type: string, description: string) =>
    call('PUT', `${atrium.urls.webhooks}/api/event-types/${type}`, {
      token,
      body: {
        description,
        schema: { type: 'object', properties: { orderId: { type: 'string' } } },
        example: { orderId: '1042' },
      },
    });
  await put(name, 'A customer has paid an order.');
  await put(`${name}_${'again_'.repeat(8)}v2`, 'A customer has paid. '.repeat(10).trim());
  await page.reload();
  const row = page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await inputMethod.press(row.getByText('Version 1'));
  await row.getByText('"orderId": "1042"').waitFor();
  await inputMethod.press(page.getByRole('button', { name: `Archive ${name}`, exact: true }));
  await page.getByText(`${name} is archived`).waitFor();
  await row.getByText('Archived', { exact: true }).waitFor();
  await expectAccessible(page, 'event-types');
  const isArchived = async () => {
    const url = `${atrium.urls.webhooks}/api/event-types/${name}`;
    return (await call('GET', url, { token })).body['isArchived'];
  };
  expect(await isArchived()).toBe(true);
  await inputMethod.press(row.getByRole('button', { name: `Restore ${name}` }));
  await page.getByText(`${name} can be published again`).waitFor();
  expect(await isArchived()).toBe(false);
  await chooseInAccountMenu(page, 'Deutsch');
  await page.getByRole('heading', { name: 'Ereignistypen', level: 1 }).waitFor();
  await expectAccessible(page, 'event-types-de');
  visitor.expectNoFaults();
});

test('every event type can be chosen, also the last of many and an archived one of a webhook', async () => {
  await using endpoint = await startEndpoint();
  const person = await createAccount('seller');
  const namespace = `many-${Date.now()}`;
  const types = `${atrium.urls.webhooks}/api/event-types/${namespace}`;
  const { accessToken: token } = person;
  const body = { description: 'Sold.', schema: { type: 'object' }, example: {} };
  const names = Array.from({ length: 101 }, (_, index) => `sold_${String(index).padStart(3, '0')}`);
  for (const name of names) {
    expect((await call('PUT', `${types}.${name}`, { token, body })).status).toBe(201);
  }
  const archived = `${namespace}.sold_000`;
  const last = `${namespace}.sold_100`;
  const id = await subscribe(atrium, person, `${endpoint.url}/hook`, [archived]);
  await call('POST', `${types}.sold_000/archive`, { token });
  await using visitor = await openAs(person, `/webhooks/${id}?tab=test`, 'Team chat');
  const { page } = visitor;
  const event = page.getByLabel('Event', { exact: true });
  await expect.poll(() => event.inputValue()).toBe(archived);
  await event.selectOption(last);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Status 200').waitFor();
  expect(endpoint.requests[0]?.headers['service-event']).toBe(last);
  await page.goto(`/deliveries?event=${archived}`);
  await expect.poll(() => event.inputValue()).toBe(archived);
  visitor.expectNoFaults();
});

test('an unverified account is told that applications wait for its email', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const answered = page.waitForResponse('**/user/second-factor');
  await signUp(page, 'unverified-developer', { path: '/developers/applications?new=true' });
  await answered;
  // The list moves the button when it comes.
  await page.getByText('An application lets people log in to your program').waitFor();
  await page.getByRole('button', { name: 'New application', disabled: true }).focus();
  await page.getByRole('tooltip', { name: 'Verify your email' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  visitor.expectNoFaults();
});
