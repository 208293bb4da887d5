import type { EventName } from '@atrium/contracts/events';
import type { PlatformUrls } from '../environment.ts';
import { logInToApplication, registerApplication } from './application.ts';
import { field, type Person, request } from './http.ts';
import { type Credentials, register, verifyEmail } from './registration.ts';
import { isAuthentic, type ReceivedDelivery, startReceiver } from './receiver.ts';

export interface TourOptions {
  urls: PlatformUrls;
  /** Where auth writes its emails. */
  mailDir: string;
  print: (line: string) => void;
}

/** What she does below. */
const EVENTS: EventName[] = ['go.click', 'note.shared', 'auth.suspicious_login'];
const LAPTOP =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
/** Answers 500 to the first attempts. */
const FLAKY_PATH = '/flaky';
const FLAKY_FAILURES = 2;

/**
 * Uses the platform once as a person with a browser and a webhook receiver would.
 * @throws Error at the first response or delivery that is not as it should be
 */
export async function runTour({ urls, mailDir, print }: TourOptions): Promise<void> {
  const secrets = new Map<string, string>();
  const verified = new Set<string>();
  /** Deliveries that arrive while the steps are still being told are shown after them. */
  let early: string[] | null = [];
  await using receiver = await startReceiver(
    (path, n) => (path === FLAKY_PATH && n <= FLAKY_FAILURES ? 500 : 200),
    (delivery) => {
      const authentic = isAuthentic(delivery, secrets.get(delivery.path) ?? '');
      if (authentic && delivery.status === 200) verified.add(delivery.event);
      const text = describeDelivery(delivery, authentic);
      if (early === null) print(text);
      else early.push(text);
    },
  );
  print(
    '\nThe tour: one account, one note, one short link, one application, and every webhook that follows.\n',
  );

  const { email, password } = await createAccount(urls, mailDir, print);
  const ada: Person = { userAgent: LAPTOP, cookies: new Map() };
  const login = await request(ada, 'POST', `${urls.auth}/auth/login`, 200, { email, password });
  ada.accessToken = field(login.body, 'accessToken');
  print('  3. She logs in.');

  const subscribe = async (path: string, events: readonly EventName[]) => {
    const body = { url: receiver.url + path, events };
    const created = await request(ada, 'POST', `${urls.webhooks}/api/webhooks`, 201, body);
    secrets.set(path, field(created.body, 'secret'));
  };
  await subscribe('/hook', EVENTS);
  await subscribe(FLAKY_PATH, ['note.shared']);
  print(
    `  4. She creates two webhooks: ${receiver.url}/hook, and ${FLAKY_PATH}, ` +
      `whose first ${FLAKY_FAILURES} answers will be errors.`,
  );

  await shareNote(ada, urls, print);
  const link = await request(ada, 'POST', `${urls.links}/api/links`, 201, {
    url: 'https://example.com/',
  });
  const slug = field(link.body, 'slug');
  const click = await request({ userAgent: PHONE }, 'GET', `${urls.links}/${slug}`, 302);
  print(
    `  8. She creates the short link ${field(link.body, 'shortUrl')}; ` +
      `a visitor follows it to ${click.headers.get('location')}`,
  );
  await request({ userAgent: PHONE }, 'POST', `${urls.auth}/auth/login`, 200, { email, password });
  print('  9. She logs in from a phone, a device that her account has not used before.');

  await readWithApplication(ada, urls, { password, print });

  print('\nWhat her webhooks receive:\n');
  for (const text of early) print(text);
  early = null;
  for (const event of EVENTS) {
    await receiver.waitFor((delivery) => delivery.path === '/hook' && delivery.event === event);
  }
  await receiver.waitFor(({ path, status }) => path === FLAKY_PATH && status === 200);
  const missing = EVENTS.filter((event) => !verified.has(event));
  if (missing.length > 0) throw new Error(`Not verified: ${missing.join(', ')}.`);
  print(`\nTour complete: ${verified.size} kinds of events delivered, every signature verified.`);
}

async function createAccount(
  urls: PlatformUrls,
  mailDir: string,
  print: (line: string) => void,
): Promise<Credentials> {
  const visitor: Person = { userAgent: LAPTOP };
  const account = await register(visitor, urls, { name: 'Ada Demo', usernamePrefix: 'demo' });
  print(`  1. Ada registers as ${account.email} with the password ${account.password}`);
  await verifyEmail(visitor, urls, { mailDir, account });
  print('  2. She follows the link in the email, which verifies her email address.');
  return account;
}

async function shareNote(
  ada: Person,
  urls: PlatformUrls,
  print: (line: string) => void,
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
  print('  5. She creates a workspace and writes a note.');
  const found = await request(ada, 'GET', `${urls.notes}/api/search?q=tomatoes`, 200);
  const [first] = found.body['results'] as { snippet: string }[];
  if (first === undefined) throw new Error('The search did not find the note.');
  print(`  6. She searches for "tomatoes": ${first.snippet}`);
  const noteUrl = `${urls.notes}/api/notes/${field(note.body, 'id')}`;
  const shared = await request(ada, 'POST', `${noteUrl}/share`, 200);
  print(`  7. She makes the note public: ${field(shared.body, 'url')}`);
}

async function readWithApplication(
  ada: Person,
  urls: PlatformUrls,
  { password, print }: { password: string; print: (line: string) => void },
): Promise<void> {
  const application = await registerApplication(ada, urls, password);
  const accessToken = await logInToApplication(application, urls, ada);
  const reader: Person = { userAgent: 'Reading list', accessToken };
  await request(reader, 'GET', `${urls.notes}/api/search?q=tomatoes`, 200);
  await request(reader, 'POST', `${urls.links}/api/links`, 403, { url: 'https://example.com/' });
  print(
    ' 10. She registers an application, "Reading list", logs in to it and lets it read her notes: ' +
      'it finds the tomatoes, and may not make links.',
  );
}

function describeDelivery(delivery: ReceivedDelivery, authentic: boolean): string {
  const verdict = authentic ? 'signature verified' : 'SIGNATURE WRONG';
  const answer = delivery.status === 200 ? '200' : `${delivery.status}, to be retried`;
  const summary = `  ${delivery.event} at ${delivery.path}: ${verdict}, answered ${answer}`;
  if (delivery.path === FLAKY_PATH) return summary;
  return [
    summary,
    `     Service-Delivery: ${delivery.id}`,
    `     Service-Signature: ${String(delivery.headers['service-signature'])}`,
    `     ${delivery.rawBody.toString('utf8')}`,
  ].join('\n');
}
