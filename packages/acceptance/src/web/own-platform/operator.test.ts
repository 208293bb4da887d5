import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startReceiver } from '@atrium/testkit/receiver';
import { type Person, registrationInput } from '../../accounts.ts';
import { startAtrium } from '../../atrium.ts';
import { call, text } from '../../client.ts';
import { logInAs } from '../forms.ts';
import { type Hand, HANDS } from '../hands.ts';
import { startJourneys } from '../journeys.ts';
import { enableTotp, totpCode } from '../second-factor.ts';
import type { Visitor } from '../visitor.ts';

const operatorOf = ({ name }: Hand) => `grace-${name}`;

const emails = HANDS.map((hand) => `${operatorOf(hand)}@example.com`);
const env = { OPERATOR_EMAILS: emails.join(','), ATRIUM_VERSION: '1.4.0' };
const atrium = await startAtrium(env);
afterAll(() => atrium[Symbol.asyncDispose]());
const { createAccount, visit, openAs } = await startJourneys(atrium);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** A browser in which an operator has logged in with the second factor and is at /operator. */
async function openOperator(hand: Hand): Promise<Visitor> {
  const person = await createAccount(registrationInput(operatorOf(hand)));
  const { secret } = await enableTotp(atrium.urls.auth, person);
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/login?return_to=%2Foperator');
  await logInAs(page, person.email, { hand });
  await hand.fill(page.getByLabel('Verification code'), totpCode(secret, 1));
  await hand.press(button(page, 'Verify'));
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

async function giveReason(page: Page, hand: Hand, { reason, submit, toast }: ReasonForm) {
  await hand.fill(dialog(page).getByLabel('Reason'), reason);
  await hand.press(dialog(page).getByRole('button', { name: submit }));
  // Awaited first: a toast disappears after 6 s.
  await page.getByText(toast).waitFor();
  await dialog(page).waitFor({ state: 'detached' });
}

test.each(HANDS)('an operator suspends an account and lifts it again, by $name', async (hand) => {
  const target = `mallory-${hand.name}`;
  const person = await createAccount(registrationInput(target));
  const { email } = person;
  await failDelivery(person);
  await using owner = await openAs(person, '/account/activity', 'Activity');
  await using operator = await openOperator(hand);
  const { page } = operator;
  await page.getByText('Version 1.4.0').nth(3).waitFor();
  await page.getByText('1 of 1 failed').first().waitFor();
  await page.getByText('No event was rejected.').waitFor();
  await hand.look(page, 'operator-overview');

  await hand.press(page.getByRole('link', { name: 'Accounts', exact: true }));
  await hand.fill(page.getByLabel('Find an account'), 'nobody-at-all');
  await page.getByText('No account is or begins with “nobody-at-all”').waitFor();
  await hand.look(page, 'operator-accounts-none');
  await hand.fill(page.getByLabel('Find an account'), target);
  await page.waitForURL(({ search }) => search === `?query=${target}`);
  const found = page.getByRole('link', { name: target });
  await found.waitFor();
  await hand.look(page, 'operator-accounts');
  await hand.press(found);
  await page.getByText('Operators have not acted on this account.').waitFor();
  await hand.look(page, 'operator-account');

  await hand.press(button(page, 'Suspend account'));
  await hand.press(dialog(page).getByRole('button', { name: 'Suspend account' }));
  await dialog(page).getByText('Give a reason of at least 3 characters').waitFor();
  await hand.look(page, 'operator-suspend');
  await giveReason(page, hand, {
    reason: 'Links to malware',
    submit: 'Suspend account',
    toast: `${target} is suspended`,
  });
  await page.getByText('Links to malware').waitFor();
  await hand.look(page, 'operator-account-suspended');

  // The page of the owner asks the services, whose answer ends the session.
  await owner.page.reload();
  await logInAs(owner.page, email, { hand });
  await owner.page.getByText('This account is suspended').waitFor();
  await hand.look(owner.page, 'login-suspended');

  await hand.press(button(page, 'Lift suspension'));
  await giveReason(page, hand, {
    reason: 'The links are gone',
    submit: 'Lift suspension',
    toast: `${target} can log in again`,
  });
  await logInAs(owner.page, email, { hand });
  await owner.page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  await owner.page.getByText('Suspension lifted by an operator').waitFor();
  await owner.page.getByText('Reason: Links to malware').waitFor();
  await hand.look(owner.page, 'account-activity-operator');
  operator.expectNoFaults();
  owner.expectNoFaults();
});

test('the pages of operators do not exist for others', async () => {
  const person = await createAccount('ordinary');
  await using visitor = await openAs(person, '/operator/accounts', 'Page not found');
  const { page } = visitor;
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Account', exact: true }).waitFor();
  expect(await navigation.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  await page.keyboard.press('Control+K');
  await dialog(page).getByRole('combobox').fill('account');
  const options = dialog(page).getByRole('option');
  await options.filter({ hasText: 'Account' }).first().waitFor();
  expect(await options.filter({ hasText: 'Find an account' }).count()).toBe(0);
  visitor.expectNoFaults();
});
