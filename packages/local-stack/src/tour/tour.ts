import { randomBytes } from 'node:crypto';
import { EVENT_NAMES, type EventName } from '@atrium/contracts/events';
import type { PlatformUrls } from '../environment.ts';
import { field, type Person, request } from './http.ts';
import { verificationToken } from './mail.ts';
import { isAuthentic, type ReceivedDelivery, startReceiver } from './receiver.ts';

export interface TourOptions {
  urls: PlatformUrls;
  /** Where auth writes its mails. */
  mailDir: string;
  say: (line: string) => void;
}

const LAPTOP =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
/** Answers of the receiver that does not work at first. */
const FLAKY_PATH = '/flaky';
const FLAKY_FAILURES = 2;
const SHOWN_HEADERS = ['service-event', 'service-delivery', 'service-signature', 'webhook-id'];

/**
 * Goes once through the platform as a person with a browser and a webhook receiver would.
 * @throws Error at the first answer or delivery that is not as it should be.
 */
export async function runTour({ urls, mailDir, say }: TourOptions): Promise<void> {
  const secrets = new Map<string, string>();
  const verified = new Set<string>();
  await using receiver = await startReceiver(
    (path, n) => (path === FLAKY_PATH && n <= FLAKY_FAILURES ? 500 : 200),
    (delivery) => {
      const authentic = isAuthentic(delivery, secrets.get(delivery.path) ?? '');
      if (authentic && delivery.status === 200) verified.add(delivery.event);
      for (const line of describe(delivery, authentic)) say(line);
    },
  );
  say('\nThe tour\n');

  const { email, password } = await makeAccount(urls, mailDir, say);
  const ada: Person = { userAgent: LAPTOP };
  const login = await request(ada, 'POST', `${urls.auth}/auth/login`, 200, { email, password });
  ada.accessToken = field(login.body, 'accessToken');
  say('3. logged in');

  const subscribe = async (path: string, events: readonly EventName[]) => {
    const body = { url: receiver.url + path, events };
    const made = await request(ada, 'POST', `${urls.webhooks}/api/webhooks`, 201, body);
    secrets.set(path, field(made.body, 'secret'));
  };
  await subscribe('/hook', EVENT_NAMES);
  await subscribe(FLAKY_PATH, ['note.shared']);
  say(`4. subscribed ${receiver.url}/hook, and ${FLAKY_PATH}, which fails ${FLAKY_FAILURES} times`);

  await shareNote(ada, urls, say);
  const link = await request(ada, 'POST', `${urls.links}/api/links`, 201, {
    url: 'https://example.com/',
  });
  const shortUrl = field(link.body, 'shortUrl');
  const slug = field(link.body, 'slug');
  const click = await request({ userAgent: PHONE }, 'GET', `${urls.links}/${slug}`, 302);
  say(`8. short link ${shortUrl}, clicked: leads to ${click.headers.get('location')}`);

  await request({ userAgent: PHONE }, 'POST', `${urls.auth}/auth/login`, 200, { email, password });
  say('9. logged in again, from a second device; now the deliveries:\n');

  for (const event of EVENT_NAMES) {
    await receiver.waitFor((delivery) => delivery.path === '/hook' && delivery.event === event);
  }
  await receiver.waitFor(({ path, status }) => path === FLAKY_PATH && status === 200);
  const missing = EVENT_NAMES.filter((event) => !verified.has(event));
  if (missing.length > 0) throw new Error(`Not verified: ${missing.join(', ')}.`);
  say(`\nTour complete: ${verified.size} kinds of events delivered, each signature verified.`);
}

async function makeAccount(
  urls: PlatformUrls,
  mailDir: string,
  say: (line: string) => void,
): Promise<{ email: string; password: string }> {
  const username = `demo-${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const visitor: Person = { userAgent: LAPTOP };
  await request(visitor, 'POST', `${urls.auth}/auth/register`, 201, {
    name: 'Ada Demo',
    username,
    email,
    password,
    birthdate: '1990-12-10',
    gender: 'unspecified',
  });
  say(`1. made the account ${email} with the password ${password}`);
  const token = await verificationToken(mailDir, email);
  await request(visitor, 'POST', `${urls.auth}/auth/verify-email/${token}`, 200);
  say('2. followed the link in its mail: the address is verified');
  return { email, password };
}

async function shareNote(
  ada: Person,
  urls: PlatformUrls,
  say: (line: string) => void,
): Promise<void> {
  const workspace = await request(ada, 'POST', `${urls.notes}/api/workspaces`, 201, {
    name: 'Garden',
    description: 'What grows where',
  });
  const notesUrl = `${urls.notes}/api/workspaces/${field(workspace.body, 'id')}/notes`;
  const note = await request(ada, 'POST', notesUrl, 201, {
    title: 'Tomatoes',
    content: 'Water the **tomatoes** early in the morning.',
    tags: ['garden'],
    pinned: false,
  });
  say('5. made a workspace and a note');
  const found = await request(ada, 'GET', `${urls.notes}/api/search?q=tomatoes`, 200);
  const [first] = found.body['results'] as { snippet: string }[];
  if (first === undefined) throw new Error('The search did not find the note.');
  say(`6. searched "tomatoes": ${first.snippet}`);
  const noteUrl = `${urls.notes}/api/notes/${field(note.body, 'id')}`;
  const shared = await request(ada, 'POST', `${noteUrl}/share`, 200);
  say(`7. shared the note: ${field(shared.body, 'url')}`);
}

function describe(delivery: ReceivedDelivery, authentic: boolean): string[] {
  const verdict = authentic ? 'signature verified' : 'SIGNATURE WRONG';
  const answer =
    delivery.status === 200 ? 'answered 200' : `answered ${delivery.status}: will retry`;
  return [
    `-> ${delivery.event} at ${delivery.path}: ${verdict}, ${answer}`,
    ...SHOWN_HEADERS.map((name) => `     ${name}: ${String(delivery.headers[name])}`),
    `     ${delivery.rawBody.toString('utf8')}`,
  ];
}
