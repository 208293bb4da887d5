import type { Platform } from '@atrium/local-stack/platform';
import type { launchBrowser } from '@atrium/testkit/browser';
import { type Figures, quantile } from '../figures.ts';

const PASSWORD = 'a long walk in the rain';
const CPU_SLOWDOWN = 4;
const KEYS = 200;
const KEY_EVERY_MS = 50;
const NOTE_BYTES = 50_000;
const PARAGRAPH =
  '## Heading\n\nSome **bold** text with a [link](https://example.com).\n\n- [ ] a task\n\n';

/**
 * Sums up, for each key, the time until its handlers are done and the time that its frame takes to be
 * painted. The wait for the next frame of the display lies between the two and is not counted.
 */
const WATCH_KEYS = `(() => {
  window.keyTimes = [];
  const after = (done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  };
  addEventListener('keydown', ({ timeStamp }) => {
    let handled = 0;
    after(() => (handled = performance.now() - timeStamp));
    requestAnimationFrame((frameStart) => {
      const start = Math.max(frameStart, performance.now());
      after(() => window.keyTimes.push(handled + performance.now() - start));
    });
  }, true);
})()`;

/** Types into a note of 50 KB on a slow processor: how long a key takes until it is painted. */
export async function measureEditor(
  { urls }: Platform,
  browser: Awaited<ReturnType<typeof launchBrowser>>,
): Promise<Figures> {
  const email = `editor-${Date.now()}@example.com`;
  const id = await createNote(urls, email);
  await using context = await browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${urls.web}/login?return_to=${encodeURIComponent(`/notes/${id}`)}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.press('Control+End');
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.evaluate(WATCH_KEYS);
  await page.keyboard.type('words '.repeat(KEYS).slice(0, KEYS), { delay: KEY_EVERY_MS });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const times = await page.evaluate<number[]>('window.keyTimes');
  return {
    'key to paint, p50, ms': quantile(times, 0.5),
    'key to paint, p95, ms (at most 16)': quantile(times, 0.95),
  };
}

async function createNote(urls: Platform['urls'], email: string): Promise<string> {
  const username = email.split('@')[0];
  const profile = { name: 'Bench', birthdate: '1990-12-10', gender: 'unspecified' };
  await post(`${urls.auth}/auth/register`, { ...profile, username, email, password: PASSWORD });
  const { accessToken } = await post(`${urls.auth}/auth/login`, { email, password: PASSWORD });
  const { id } = await post(`${urls.notes}/api/workspaces`, { name: 'Bench' }, accessToken);
  const content = PARAGRAPH.repeat(Math.ceil(NOTE_BYTES / PARAGRAPH.length)).slice(0, NOTE_BYTES);
  const body = { title: 'Long', content };
  return (await post(`${urls.notes}/api/workspaces/${id}/notes`, body, accessToken)).id;
}

async function post(
  url: string,
  body: object,
  token?: string,
): Promise<{ id: string; accessToken: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as { id: string; accessToken: string };
}
