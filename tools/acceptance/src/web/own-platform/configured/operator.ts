import { readFile } from 'node:fs/promises';
import { newId } from '@atrium/contracts/ids';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startReceiver } from '@atrium/testkit/receiver';
import { type Person, registrationInput } from '../../../accounts.ts';
import { call, text } from '../../../client.ts';
import { expectAccessible } from '../../accessibility.ts';
import { logInAs } from '../../forms.ts';
import { inputMethod } from '../../input-methods.ts';
import { enableTotp, totpCode } from '../../second-factor.ts';
import type { Visitor } from '../../visitor.ts';
import { atrium, createAccount, openAs, operatorOf, visit } from './platform.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** A browser in which an operator has logged in with the second factor and is at /operator. */
async function openOperator(pages: Parameters<typeof operatorOf>[0]): Promise<Visitor> {
  const person = await createAccount(registrationInput(operatorOf(pages)));
  const { secret } = await enableTotp(atrium.urls.auth, person);
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/login?return_to=%2Foperator');
  await logInAs(page, person.email, { inputMethod });
  await inputMethod.fill(page.getByLabel('Verification code'), totpCode(secret, 1));
  await inputMethod.press(button(page, 'Verify'));
  await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
  return visitor;
}

/** Has a delivery of this person refused. */
async function failDelivery({ accessToken: token }: Person): Promise<void> {
  await using receiver = await startReceiver({ respond: () => ({ status: 503 }) });
  const url = `${atrium.urls.webhooks}/api/webhooks`;
  const body = { url: receiver.url, events: ['note.shared'] };
  const id = text((await call('POST', url, { token, body })).body, 'id');
  await call('POST', `${url}/${id}/test`, { token, body: { event: 'note.shared' } });
  await receiver.waitFor(1);
}

interface ReasonForm {
  reason: string;
  submit: string;
  toast: string;
}

async function giveReason(page: Page, { reason, submit, toast }: ReasonForm) {
  await inputMethod.fill(dialog(page).getByLabel('Reason'), reason);
  await inputMethod.press(dialog(page).getByRole('button', { name: submit }));
  // Awaited first: a toast disappears after 6 s.
  await page.getByText(toast).waitFor();
  await dialog(page).waitFor({ state: 'detached' });
}

test('an operator suspends an account and lifts it again', async () => {
  const target = 'mallory';
  const person = await createAccount(registrationInput(target));
  const { email } = person;
  await failDelivery(person);
  await using owner = await openAs(person, '/account/activity', 'Activity');
  await using operator = await openOperator('accounts');
  const { page } = operator;
  await page.getByText('Version 1.4.0').nth(3).waitFor();
  await page.getByText('1 of 1 failed').first().waitFor();
  await page.getByText('No event was rejected.').waitFor();
  await expectAccessible(page, 'operator-overview');

  await inputMethod.press(page.getByRole('link', { name: 'Accounts', exact: true }));
  await inputMethod.fill(page.getByLabel('Find an account'), 'nobody-at-all');
  await page.getByText('No account is or begins with “nobody-at-all”').waitFor();
  await expectAccessible(page, 'operator-accounts-none');
  await inputMethod.fill(page.getByLabel('Find an account'), target);
  await page.waitForURL(({ search }) => search === `?query=${target}`);
  const found = page.getByRole('link', { name: target });
  await found.waitFor();
  await expectAccessible(page, 'operator-accounts');
  await inputMethod.press(found);
  await page.getByText('Operators have not acted on this account.').waitFor();
  await expectAccessible(page, 'operator-account');

  await inputMethod.press(button(page, 'Suspend account'));
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Suspend account' }));
  await dialog(page).getByText('Give a reason of at least 3 characters').waitFor();
  await expectAccessible(page, 'operator-suspend');
  await giveReason(page, {
    reason: 'Links to malware',
    submit: 'Suspend account',
    toast: `${target} is suspended`,
  });
  await page.getByText('Links to malware').waitFor();
  await expectAccessible(page, 'operator-account-suspended');

  // The page of the owner asks the services, whose answer ends the session.
  await owner.page.reload();
  await logInAs(owner.page, email, { inputMethod });
  await owner.page.getByText('This account is suspended').waitFor();
  await expectAccessible(owner.page, 'login-suspended');

  await inputMethod.press(button(page, 'Lift suspension'));
  await giveReason(page, {
    reason: 'The links are gone',
    submit: 'Lift suspension',
    toast: `${target} can log in again`,
  });
  await logInAs(owner.page, email, { inputMethod });
  await owner.page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  await owner.page.getByText('Suspension lifted by an operator').waitFor();
  await owner.page.getByText('Reason: Links to malware').waitFor();
  await expectAccessible(owner.page, 'account-activity-operator');
  operator.expectNoFaults();
  owner.expectNoFaults();
});

test('an operator lets a product reach everybody, who can then subscribe to it', async () => {
  const product = 'shop';
  const type = `${product}.order_paid`;
  const owner = await createAccount('owner');
  const customer = await createAccount('buyer');
  await call('PUT', `${atrium.urls.webhooks}/api/event-types/${type}`, {
    token: owner.accessToken,
    body: { description: 'A customer has paid an order.', example: { orderId: '1042' } },
  });
  await using operator = await openOperator('products');
  const { page } = operator;
  await inputMethod.press(page.getByRole('link', { name: 'Products', exact: true }));
  await page.getByText('Reaches its own account only').first().waitFor();
  await expectAccessible(page, 'operator-products');
  await inputMethod.press(button(page, `Change ${product}`));
  await inputMethod.fill(dialog(page).getByLabel('Id of the application'), 'app_wrong');
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Save' }));
  await dialog(page).getByText('Enter an id such as app_').waitFor();
  await expectAccessible(page, 'operator-product');
  await inputMethod.fill(dialog(page).getByLabel('Id of the application'), newId('app'));
  await inputMethod.press(dialog(page).getByRole('button', { name: 'Save' }));
  await page.getByText('Reaches everybody, by app_').first().waitFor();

  await using visitor = await openAs(customer, '/webhooks', 'Webhooks');
  await inputMethod.press(button(visitor.page, 'New webhook').first());
  const form = dialog(visitor.page);
  await inputMethod.fill(form.getByLabel('Endpoint URL'), 'https://93.184.216.34/hook');
  await form.getByText(`All events of ${product}`).waitFor();
  await form.getByText('A customer has paid an order.').first().waitFor();
  await form.getByLabel(`${product}.*`).check();
  await expectAccessible(visitor.page, 'webhook-products');
  await inputMethod.press(form.getByRole('button', { name: 'Create webhook' }));
  await visitor.page.getByText('Webhook created').waitFor();
  operator.expectNoFaults();
  visitor.expectNoFaults();
});

test('an operator imports accounts, follows that and reads what was rejected', async () => {
  await using operator = await openOperator('imports');
  const { page } = operator;
  await inputMethod.press(page.getByRole('link', { name: 'Imports', exact: true }));
  await page.getByText('Nothing has been imported').or(page.getByText('Completed')).waitFor();
  const name = 'people.ndjson';
  const row = page.getByRole('listitem').filter({ hasText: name });
  const lines = ['{"email":"moved@example.com","birthdate":"1990-05-17"}', '{"email":"nobody"}'];
  const file = { name, mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  await row.getByText('Completed').waitFor();
  await expectAccessible(page, 'operator-imports');
  const downloading = page.waitForEvent('download');
  await inputMethod.press(button(page, `Download the rejected lines of ${name}`));
  const report = await readFile(await (await downloading).path(), 'utf8');
  expect(JSON.parse(report)).toMatchObject({ line: 2, field: 'email' });
  operator.expectNoFaults();
});

test('the pages of operators do not exist for others', async () => {
  const person = await createAccount('ordinary');
  await using visitor = await openAs(person, '/operator/accounts', 'Page not found');
  const { page } = visitor;
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Webhooks' }).waitFor();
  expect(await navigation.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  await page.keyboard.press('Control+K');
  await dialog(page).getByRole('combobox').fill('account');
  const options = dialog(page).getByRole('option');
  await options.filter({ hasText: 'Account' }).first().waitFor();
  expect(await options.filter({ hasText: 'Find an account' }).count()).toBe(0);
  visitor.expectNoFaults();
});
