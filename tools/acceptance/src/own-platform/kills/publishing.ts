import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createPerson, PASSWORD, registrationInput } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { enableTotp, totpCode } from '../../web/second-factor.ts';
import { run, writeGuide } from '../../guide.fixture.ts';
import { atrium, OPERATOR } from './platform.ts';

const { auth, webhooks } = atrium.urls;
const ORDERS = 1_000;

async function logInAsOperator(): Promise<string> {
  const operator = await createPerson(auth, atrium.mailbox, registrationInput(OPERATOR));
  const { secret } = await enableTotp(auth, operator);
  const { email } = operator;
  const first = await call('POST', `${auth}/auth/login`, { body: { email, password: PASSWORD } });
  const body = { mfaToken: text(first.body, 'mfaToken'), code: totpCode(secret, 1) };
  return text((await call('POST', `${auth}/auth/mfa`, { body })).body, 'accessToken');
}

/** Runs a program of the guide to its end. @returns what it printed */
async function runToEnd(path: string, settings: Record<string, string>): Promise<string> {
  await using program = run([path], settings);
  const [code] = await program.exited;
  expect([path, code]).toEqual([path, 0]);
  return program.output();
}

test('a product publishes to its customer by the programs of the guide, while workers are killed', async () => {
  await using guide = await writeGuide('docs/publish-events.md');
  const owner = await createPerson(auth, atrium.mailbox, 'shop');
  const customer = await createPerson(auth, atrium.mailbox, 'buyer');
  const created = await call('POST', `${auth}/applications`, {
    token: owner.accessToken,
    body: {
      kind: 'machine',
      name: 'Shop',
      redirectUrls: [],
      scopes: ['events:publish'],
      password: PASSWORD,
    },
  });
  const applicationId = text(created.body, 'id');
  const settings = {
    ATRIUM_AUTH_URL: auth,
    ATRIUM_WEBHOOKS_URL: webhooks,
    CLIENT_ID: applicationId,
    CLIENT_SECRET: text(created.body, 'secret'),
    CUSTOMER_ID: customer.id,
    ORDERS: String(ORDERS),
  };
  expect(await runToEnd(`${guide.folder}/push-types.js`, settings)).toBe('version 1\n');
  const trusted = await call('PATCH', `${webhooks}/api/operator/namespaces/shop`, {
    token: await logInAsOperator(),
    body: { trustedApplicationId: applicationId },
  });
  expect(trusted.status).toBe(200);

  await using receiver = await startReceiver();
  const { accessToken: token } = customer;
  const subscribe = (url: string, events: string[]) =>
    call('POST', `${webhooks}/api/webhooks`, { token, body: { url, events } });
  const secret = text((await subscribe(receiver.url, ['shop.*'])).body, 'secret');
  await subscribe(`${receiver.url}/other`, ['note.created']);

  const worker = atrium.platform.process('worker');
  const published = runToEnd(`${guide.folder}/publish.js`, settings);
  for (const received of [1, ORDERS / 2]) {
    await receiver.waitFor(received);
    await worker.kill('SIGKILL');
    await worker.restart();
  }
  expect(await published).toBe(`published ${ORDERS}\n`);
  // What a killed worker had leased is sent again a minute later.
  const orders = () =>
    new Set(receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).data.orderId));
  await until(() => orders().size === ORDERS, { timeoutMs: 150_000 });
  expect(orders()).toEqual(new Set(Array.from({ length: ORDERS }, (_, n) => String(n))));
  const webhook = new Webhook(secret);
  for (const { path, rawBody, headers } of receiver.requests) {
    expect(path).toBe('/');
    webhook.verify(rawBody, headers as Record<string, string>);
  }
  // Published once each, also when all of it is published again.
  expect(await runToEnd(`${guide.folder}/publish.js`, settings)).toBe(`published ${ORDERS}\n`);
  const ids = new Set(receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).id));
  expect(ids.size).toBe(ORDERS);
}, 300_000);
