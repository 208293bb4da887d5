import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { PASSWORD } from '../accounts.ts';
import { call, text } from '../client.ts';
import { expectAccessible } from './accessibility.ts';
import { startJourneys } from './journeys.ts';

const { atrium, createAccount, openAs } = await startJourneys();

test('a page that has gone on to an app says that it can be closed', async () => {
  const person = await createAccount('app-user');
  const redirectUrl = 'com.example.reader:/callback';
  const made = await call('POST', `${atrium.urls.auth}/applications`, {
    token: person.accessToken,
    body: { kind: 'native', name: 'Reader', redirectUrls: [redirectUrl], password: PASSWORD },
  });
  const description = `${atrium.urls.auth}/.well-known/openid-configuration`;
  const url = new URL(text((await call('GET', description)).body, 'authorization_endpoint'));
  const parameters = {
    response_type: 'code',
    client_id: text(made.body, 'id'),
    redirect_uri: redirectUrl,
    scope: 'openid profile',
    state: 'state',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  };
  url.search = new URLSearchParams(parameters).toString();
  await using visitor = await openAs(person, '/links', 'Links');
  const { page } = visitor;
  await page.goto(url.href);
  await page.getByRole('button', { name: 'Allow' }).click();
  const canClose = page.getByText('If Reader is open now, you can close this page.');
  await canClose.waitFor();
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  await expectAccessible(page, 'authorize-gone-on');
  // The person comes back to the tab, and the page must not ask again. A request that this causes is sent before the
  // one that the test waits for.
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await page.evaluate('fetch(location.href).then((response) => response.text())');
  await canClose.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);

  url.searchParams.set('acr_values', 'urn:atrium:acr:two-factors');
  await page.goto(url.href);
  await page.getByText('Reader asks for a login with a second factor.').waitFor();
  await expectAccessible(page, 'authorize-stronger');
  await page.getByRole('button', { name: 'Deny' }).click();
  await canClose.waitFor();
  visitor.expectNoFaults();
});
