import { expect, test } from 'vitest';
import { call } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { inputMethod } from './input-methods.ts';
import { startJourneys } from './journeys.ts';

const { atrium, createAccount, openAs } = await startJourneys();

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
