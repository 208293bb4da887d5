import { until } from '@atrium/testkit/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { logIn, type Person } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { logInAs } from '../../web/forms.ts';
import { startJourneys } from '../../web/journeys.ts';
import { atrium } from './platform.ts';

/** `npm run test:text-loss` runs the hundred of each. */
const RUNS = Number(process.env['TEXT_LOSS_RUNS'] ?? 2);
const RUN_TIMEOUT_MS = 60_000;

const LINES = 'first line\n\nsecond line\n\nlast line';

/** The contents of all drafts that this browser keeps. */
const DRAFTS = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('atrium-drafts');
  opening.onerror = reject;
  opening.onsuccess = () => {
    const reading = opening.result.transaction('notes').objectStore('notes').getAll();
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.map(({ text }) => text.content));
    };
  };
})`;

const { createAccount, openAs } = await startJourneys(atrium);

const editor = (page: Page) => page.getByRole('textbox', { name: 'Note' });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();
const kept = (page: Page, typed: string) =>
  until(async () => (await page.evaluate<string[]>(DRAFTS)).includes(LINES + typed));

interface Run {
  page: Page;
  person: Person;
  number: number;
  /** Opens the note of this run, with the cursor at its end. */
  open: (page: Page) => Promise<void>;
  /** What the service has of it. */
  content: () => Promise<string>;
}

async function createNote(person: Person): Promise<string> {
  const { notes: url } = atrium.urls;
  const { accessToken: token } = await logIn(atrium.urls.auth, person);
  const { body } = await call('GET', `${url}/api/workspaces`, { token });
  const [workspace] = body['data'] as { id: string }[];
  const created = await call('POST', `${url}/api/workspaces/${workspace?.id}/notes`, {
    token,
    body: { title: 'Plans', content: LINES },
  });
  return text(created.body, 'id');
}

/** Does the same with a new note each time, and expects that no run has lost anything. */
async function repeat(name: string, run: (run: Run) => Promise<boolean>): Promise<void> {
  const person = await createAccount(name);
  const { accessToken: token } = person;
  await call('POST', `${atrium.urls.notes}/api/workspaces`, { token, body: { name: 'Work' } });
  await using visitor = await openAs(person, '/notes', 'Notes');
  const lost: number[] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    const id = await createNote(person);
    const page = await visitor.context.newPage();
    const isWhole = await run({
      page,
      person,
      number,
      open: async (tab) => {
        await tab.goto(`/notes/${id}`);
        await editor(tab).click();
        await tab.keyboard.press('Control+End');
      },
      content: async () => {
        const session = await logIn(atrium.urls.auth, person);
        const url = `${atrium.urls.notes}/api/notes/${id}`;
        return text((await call('GET', url, { token: session.accessToken })).body, 'content');
      },
    });
    if (!isWhole) lost.push(number);
    await page.close();
    // Free plans have a hundred notes.
    await call('DELETE', `${atrium.urls.notes}/api/notes/${id}`, {
      token: (await logIn(atrium.urls.auth, person)).accessToken,
    });
  }
  expect(lost, 'runs that lost text').toEqual([]);
}

/** Words whose number and length change from run to run. */
const words = (number: number) =>
  Array.from({ length: 2 + (number % 5) }, (_, index) => 'typed'.repeat(1 + (index % 3))).join(' ');

/** @param what also names the account, so that no two of them share one */
const loses = (what: string, run: (run: Run) => Promise<boolean>) =>
  test(`loses no text when ${what}, in ${RUNS} runs`, { timeout: RUNS * RUN_TIMEOUT_MS }, () =>
    repeat(what.replaceAll(/\W+/g, '-'), run),
  );

loses('a tab is killed', async ({ page, number, open, content }) => {
  const beforePause = ` ${words(number)}.`;
  await open(page);
  await page.keyboard.type(beforePause);
  await kept(page, beforePause);
  await page.keyboard.type(' mid-senten');
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  const next = await page.context().newPage();
  await open(next);
  await saved(next);
  await next.close();
  const found = await content();
  const isPrefix = `${LINES}${beforePause} mid-senten`.startsWith(found);
  return isPrefix && found.startsWith(LINES + beforePause);
});

loses('a page is left at once', async ({ page, number, open, content }) => {
  const typed = ` ${words(number)}.`;
  const leave = [
    () => page.goto('about:blank'),
    () => page.reload(),
    () => Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]),
  ][number % 3];
  const next = await page.context().newPage();
  page.on('dialog', (question) => void question.accept());
  // What is typed last is on this device only.
  await page.route('**/api/notes/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await open(page);
  await page.keyboard.type(typed);
  await leave?.();
  await page.close();
  await open(next);
  await saved(next);
  await next.close();
  return (await content()) === LINES + typed;
});

loses('the session ends', async ({ page, person, number, open, content }) => {
  const typed = ` ${words(number)}.`;
  // The dialog opens when it is saved, and not before.
  await page.route('**/presence', (route) => route.abort());
  await open(page);
  const [mine, ended] = [
    await logIn(atrium.urls.auth, person),
    await logIn(atrium.urls.auth, person),
  ];
  await call('DELETE', `${atrium.urls.auth}/user/sessions`, { token: mine.accessToken });
  await until(async () => {
    const url = `${atrium.urls.notes}/api/workspaces`;
    return (await call('GET', url, { token: ended.accessToken })).status === 401;
  });
  // At once: after a pause between two keys the dialog would have the focus.
  await page.keyboard.insertText(typed);
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
  await logInAs(page, person.email);
  await saved(page);
  return (await content()) === LINES + typed;
});

loses('the network is away', async ({ page, number, open, content }) => {
  const typed = ` ${words(number)}.`;
  const context = page.context();
  await open(page);
  await context.setOffline(true);
  await page.keyboard.type(typed);
  await page.getByText('Offline: kept on this device').waitFor();
  await page.keyboard.type(' More.');
  await kept(page, `${typed} More.`);
  // Every other time the tab is closed before the network is back.
  const next = number % 2 === 0 ? page : await context.newPage();
  if (next !== page) await page.close();
  await context.setOffline(false);
  if (next !== page) await open(next);
  await saved(next);
  if (next !== page) await next.close();
  return (await content()) === `${LINES}${typed} More.`;
});

loses('another tab has saved', async ({ page, number, open, content }) => {
  const typed = ` ${words(number)}.`;
  const isSameLine = number % 2 === 0;
  const other = await page.context().newPage();
  // A tab that hears of the change takes it over before it saves its own.
  await page.route('**/presence', (route) => route.abort());
  await open(page);
  await open(other);
  if (!isSameLine) await other.keyboard.press('Control+Home');
  await other.keyboard.type('Elsewhere. ');
  await saved(other);
  await page.bringToFront();
  await page.keyboard.type(typed);
  if (isSameLine) {
    await page.getByRole('button', { name: 'Compare and choose' }).click();
    await page.getByLabel('Keep both').check();
    await page.getByRole('button', { name: 'Apply choices' }).click();
  }
  await saved(page);
  await other.close();
  const expected = isSameLine
    ? `${LINES}${typed}\n\nlast lineElsewhere. `
    : `Elsewhere. ${LINES}${typed}`;
  return (await content()) === expected;
});

loses('the service restarts', async ({ page, number, open, content }) => {
  const typed = ` ${words(number)}.`;
  await open(page);
  await page.keyboard.type(typed);
  const notes = atrium.platform.process('notes');
  await notes.kill(number % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
  await page.keyboard.type(' More.');
  await notes.restart();
  await page.keyboard.type(' And more.');
  const whole = `${LINES}${typed} More. And more.`;
  await until(async () => (await content()) === whole);
  await saved(page);
  return (await content()) === whole;
});
