import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CHROME_ON_LINUX } from '../accounts.ts';
import { call, text } from '../client.ts';
import { expectFocus } from './dialogs.ts';
import { signUp } from './forms.ts';
import { keyboard } from './input-methods.ts';
import { chooseInAccountMenu } from './account-menu.ts';
import { startJourneys } from './journeys.ts';
import { expectAccessible } from './accessibility.ts';

const FEW_LINKS = 25;

const { atrium, createAccount, visit, openAs } = await startJourneys();

const dialog = (page: Page) => page.getByRole('dialog');
const clicks = (page: Page) => page.getByRole('region', { name: 'Clicks' }).getByRole('status');

/** Follows a short link as a person's browser would, and returns where it leads. */
async function follow(
  shortUrl: string,
  userAgent: string = CHROME_ON_LINUX,
): Promise<string | null> {
  const response = await fetch(shortUrl, {
    redirect: 'manual',
    headers: { 'user-agent': userAgent },
  });
  return response.headers.get('location');
}

const breadcrumb = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: 'Links', exact: true });

async function downloaded(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test('a link is made, copied, clicked, edited, deleted and brought back', async () => {
  const person = await createAccount('linker');
  await using visitor = await openAs(person, '/links', 'Links');
  const { page } = visitor;
  await page.getByText('Links that you create show here').waitFor();
  await expectAccessible(page, 'links-empty');

  await page.getByRole('button', { name: 'New link' }).click();
  await dialog(page).getByLabel('Short name').fill('api docs');
  await dialog(page).getByText('Use 3 to 64 letters').waitFor();
  await dialog(page).getByRole('button', { name: 'Create link' }).click();
  await dialog(page).getByText('Destination is required').waitFor();
  await dialog(page).getByLabel('Destination').fill('exa mple');
  await dialog(page).getByRole('button', { name: 'Create link' }).click();
  await dialog(page).getByText('Enter a URL such as').waitFor();
  await expectAccessible(page, 'links-new-error');
  await dialog(page).getByLabel('Destination').fill('example.com/plans/autumn');
  await dialog(page).getByLabel('Short name').fill('docs');
  await page.reload();
  expect(await dialog(page).getByLabel('Destination').inputValue()).toBe(
    'example.com/plans/autumn',
  );
  await dialog(page).getByText('This short name is taken').waitFor();
  await dialog(page).getByRole('button', { name: 'Create link' }).click();
  await dialog(page).getByLabel('Short name').and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog(page).getByLabel('Short name').fill('autumn');
  await dialog(page).getByText('autumn is free').waitFor();
  await expectAccessible(page, 'links-new');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /\/autumn$/, level: 1 }).waitFor();
  await page.getByRole('img', { name: 'QR code of autumn' }).waitFor();
  await expect.poll(() => page.title()).toBe('autumn · Link · Atrium');

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const shortUrl = await page.evaluate<string>('navigator.clipboard.readText()');
  // Also where the clipboard refuses, as it does without HTTPS.
  await page.evaluate(`navigator.clipboard.writeText('').then(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  })`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shortUrl);
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
    `/api/links" -H "Authorization: Bearer $ATRIUM_TOKEN" -H "Content-Type: application/json" -d '{"url":"https://example.com/plans/autumn"}'`,
  );
  expect(await clicks(page).textContent()).toBe('0');
  expect(await follow(shortUrl)).toBe('https://example.com/plans/autumn');
  await follow(shortUrl, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
  await expect.poll(() => clicks(page).textContent()).toBe('1');
  await page.getByRole('img', { name: 'Last 30 days: By people: 1, By bots: 1' }).waitFor();
  await page.getByText('Last 90 days').click();
  await page.waitForURL(/\?days=90$/);
  await page.getByRole('img', { name: 'Last 90 days: By people: 1, By bots: 1' }).waitFor();
  await page.getByText('Show as a table').click();
  await page.getByRole('row', { name: /^\d.* 2\d{3} 1 1$/ }).waitFor();
  await expectAccessible(page, 'link');

  const svg = await downloaded(page, 'Download SVG');
  expect(svg.name).toBe('autumn.svg');
  expect(svg.content.toString()).toMatch(/^<svg /);
  const png = await downloaded(page, 'Download PNG');
  expect(png.name).toBe('autumn.png');
  expect(png.content.subarray(1, 4).toString()).toBe('PNG');

  await page.getByLabel('Destination').fill('https://example.com/plans/winter');
  await breadcrumb(page).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Link saved').waitFor();
  expect(await follow(shortUrl)).toBe('https://example.com/plans/winter');

  await page.getByRole('button', { name: 'Delete link' }).click();
  await page.getByText('autumn will be deleted in a few seconds').waitFor();
  await page.getByText('Links that you create show here').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /\/autumn$/ }).waitFor();
  await page.getByText(/^\d clicks?$/).waitFor();
  visitor.expectNoFaults();
});

test('the clicks on a link stay as they are while they are held', async () => {
  const person = await createAccount('reader');
  const links = `${atrium.urls.links}/api/links`;
  const token = person.accessToken;
  const body = { url: 'https://example.com/', slug: `held-${Date.now()}` };
  const { body: link } = await call('POST', links, { token, body });
  await using visitor = await openAs(person, '/links', 'Links');
  const { page } = visitor;
  await page.clock.install();
  await page.getByRole('main').getByRole('link', { name: body.slug }).click();
  await page.getByRole('button', { name: 'Hold the numbers' }).click();
  await follow(text(link, 'shortUrl'));
  const one = `${links}/${text(link, 'id')}`;
  await expect
    .poll(async () => (await call('GET', one, { token })).body)
    .toMatchObject({ clicks: 1 });
  await page.clock.runFor(30_000);
  await page.waitForLoadState('networkidle');
  expect(await clicks(page).textContent()).toBe('0');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => clicks(page).textContent()).toBe('1');
  visitor.expectNoFaults();
});

test('a link is made, found, deleted and brought back by keyboard alone', async () => {
  const person = await createAccount('typist');
  await using visitor = await openAs(person, '/links', 'Links');
  const { page } = visitor;
  await keyboard.press(page.getByRole('button', { name: 'New link' }));
  await keyboard.fill(dialog(page).getByLabel('Destination'), 'example.com/typed');
  await keyboard.fill(dialog(page).getByLabel('Short name'), 'typed');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /\/typed$/, level: 1 }).waitFor();
  await keyboard.press(breadcrumb(page));
  await keyboard.fill(page.getByRole('searchbox'), 'TYPED');
  await page.waitForURL(/\?q=TYPED$/);
  await keyboard.press(page.getByRole('link', { name: /\/typed$/ }));
  await keyboard.press(page.getByRole('button', { name: 'Delete link' }));
  await keyboard.press(page.getByRole('button', { name: 'Undo' }));
  const row = page.getByRole('link', { name: /\/typed$/ });
  await row.waitFor();
  // Where it is narrow, the host would leave no space for the rest.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await row.innerText()).toBe('/typed');
  await expectFocus(page.getByRole('main'));
  visitor.expectNoFaults();
});

test('a long list shows more on scrolling and is read with the keyboard, in German too', async () => {
  const person = await createAccount('many-links');
  for (let index = 1; index <= FEW_LINKS; index += 1) {
    await call('POST', `${atrium.urls.links}/api/links`, {
      token: person.accessToken,
      body: {
        url: `https://example.com/${'a-long-path-of-a-campaign/'.repeat(6)}${index}`,
        slug: index % 2 === 0 ? `sale-${index}` : `a-short-name-that-is-not-short-at-all-${index}`,
      },
    });
  }
  await using visitor = await openAs(person, '/links', 'Links');
  const { page } = visitor;
  await page.getByRole('link', { name: /-25$/ }).waitFor();
  await page.getByText(/^2[05] shown$/).scrollIntoViewIfNeeded();
  await page.getByText('25 shown').waitFor();
  await expectAccessible(page, 'links-full');

  const search = page.getByRole('searchbox', { name: 'Find by short name or destination' });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await search.fill('cleared');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.clock.runFor(1_000);
  await page.clock.resume();
  await search.fill('SALE-1');
  await page.waitForURL(/\?q=SALE-1$/);
  await page.getByText('5 shown').waitFor();
  expect(requested.filter((url) => url.includes('cleared'))).toEqual([]);
  await search.fill('spring');
  await page.getByText('No link has “spring” in its short name or destination.').waitFor();
  await expectAccessible(page, 'links-not-found');
  await page.getByRole('button', { name: 'Show all links' }).click();
  await page.getByRole('link', { name: /-25$/ }).focus();
  // The row that has the focus keeps it, however far away one scrolls.
  await page.getByText('25 shown').scrollIntoViewIfNeeded();
  await page.getByRole('link', { name: /-1$/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /\/sale-24$/, level: 1 }).waitFor();
  await chooseInAccountMenu(page, 'Deutsch');
  await page.getByRole('region', { name: 'Klicks' }).waitFor();
  await page.getByRole('img', { name: 'QR-Code von sale-24' }).waitFor();
  await expectAccessible(page, 'link-de');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Name einer Seite' });
  await palette.fill('neuer link');
  await palette.press('Enter');
  await dialog(page).getByLabel('Ziel').waitFor();
  await expectAccessible(page, 'links-new-de');
  visitor.expectNoFaults();
});

test('an unverified account is told what links wait for', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await signUp(page, 'unverified-linker', { path: '/links' });
  await page.getByText('Links can be created once your email is verified.').waitFor();
  await expectAccessible(page, 'links-unverified');
  const create = page.getByRole('button', { name: 'New link', disabled: true });
  await create.focus();
  await page.getByRole('tooltip', { name: 'Verify your email' }).waitFor();
  await page.keyboard.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
  visitor.expectNoFaults();
});
