import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentAccount } from '@atrium/local-stack/development-account';
import { startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { launchBrowser } from '@atrium/testkit/browser';
import { listen } from '@atrium/testkit/http-listener';
import { type ReceiverAnswer, startReceiver } from '@atrium/testkit/receiver';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** The platform with an account, two notes and a webhook that fails, and a browser in which it is logged in. */
export interface Environment extends AsyncDisposable {
  account: { email: string; password: string };
  /** The path of a note of 50 kB. */
  notePath: string;
  /** A page of nothing but text and a text field with the same note. */
  bareUrl: string;
  /** @param as `visitor` has no session, `phone` a small screen */
  open: (as?: 'visitor' | 'phone') => Promise<Page>;
  /** Has the webhook fail from now on, and an event delivered to it. */
  failDelivery: () => Promise<void>;
  /** Has the webhook answer as it should. */
  mendWebhook: () => void;
}

const NOTE_BYTES = 50_000;
const PARAGRAPH = '## Plans\n\nSome **bold** words, a [link](https://example.com) and `code`.\n\n';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

export async function openEnvironment(): Promise<Environment> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { urls } = started.use(
    await startPlatform({
      env: { PATH: process.env['PATH'], RATE_LIMITS: 'off' },
      portBase: await findFreePortBase(),
      dataDir,
      logs: () => undefined,
    }),
  );
  const mailDir = join(dataDir, 'mail');
  const account = await developmentAccount({ urls, dataDir, mailDir, givenDatabase: undefined });
  const send = await logIn(urls.auth, account);
  const { id: workspaceId } = await send(`${urls.notes}/api/workspaces`, { name: 'Garden' });
  const notes = `${urls.notes}/api/workspaces/${workspaceId}/notes`;
  const content = PARAGRAPH.repeat(Math.floor(NOTE_BYTES / PARAGRAPH.length));
  const { id: longId } = await send(notes, { title: 'Long', content });
  const { id: shoppingId } = await send(notes, {
    title: 'Shopping',
    content: '- [ ] lamps\n- [ ] seeds\n',
  });
  const answer: { current: ReceiverAnswer } = { current: { status: 200 } };
  const receiver = started.use(await startReceiver({ respond: () => answer.current }));
  const events = ['note.shared'];
  await send(`${urls.webhooks}/api/webhooks`, { url: receiver.url, events, description: 'Chat' });
  const bare = started.use(
    await listen((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><title>Bare</title><h1>Bare</h1><textarea rows=40 cols=80>${content}</textarea>`,
      );
    }),
  );
  const browser = await launchBrowser();
  started.defer(() => browser.close());
  const contexts = {
    visitor: await browser.newContext({ baseURL: urls.web }),
    phone: await browser.newContext({ baseURL: urls.web, ...PHONE }),
    wide: await browser.newContext({ baseURL: urls.web }),
  };
  for (const name of ['phone', 'wide'] as const) {
    const page = await contexts[name].newPage();
    await page.goto('/login');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname === '/');
    await page.close();
  }
  const stack = started.move();
  return {
    account,
    notePath: `/notes/${longId}`,
    bareUrl: bare.url,
    open: (as) => contexts[as ?? 'wide'].newPage(),
    async failDelivery() {
      const count = receiver.requests.length;
      answer.current = { status: 500, body: 'the database is down' };
      await send(`${urls.notes}/api/notes/${shoppingId}/share`, undefined);
      await receiver.waitFor(count + 1);
    },
    mendWebhook() {
      answer.current = { status: 200, body: 'thanks' };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** @returns how a request is sent for the account */
async function logIn(auth: string, { email, password }: Environment['account']) {
  const send = async (url: string, body: object | undefined, token?: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return (await response.json()) as Record<string, string>;
  };
  const { accessToken } = await send(`${auth}/auth/login`, { email, password });
  return (url: string, body: object | undefined) => send(url, body, accessToken);
}
