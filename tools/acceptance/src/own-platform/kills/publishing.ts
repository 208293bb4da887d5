import { createPublicKey, verify } from 'node:crypto';
import { type ReceivedRequest, startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { createPerson, PASSWORD, registrationInput } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { enableTotp, totpCode } from '../../web/second-factor.ts';
import { run, writeGuide } from '../../guide.fixture.ts';
import { atrium, OPERATOR } from './platform.ts';

const { auth, webhooks } = atrium.urls;
const ORDERS = 1_000;
/** All orders but those whose number begins with 1. */
const FILTER = { $not: { 'data.orderId': { $startsWith: '1' } } };
const MATCHING = Array.from({ length: ORDERS }, (_, n) => String(n)).filter((n) => n[0] !== '1');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

async function logInAsOperator(): Promise<string> {
  const operator = await createPerson(auth, atrium.mailbox, registrationInput(OPERATOR));
  const { secret } = await enableTotp(auth, operator);
  const { email } = operator;
  const first = await call('POST', `${auth}/auth/login`, { body: { email, password: PASSWORD } });
  const body = { mfaToken: text(first.body, 'mfaToken'), code: totpCode(secret, 1) };
  return text((await call('POST', `${auth}/auth/mfa`, { body })).body, 'accessToken');
}

const orderOf = ({ rawBody }: ReceivedRequest): string =>
  JSON.parse(rawBody.toString()).data.orderId;

/** By the specification of Standard Webhooks: neither `standardwebhooks` nor `svix` knows v1a. */
function isSignedWith(publicKey: string, { headers, rawBody }: ReceivedRequest): boolean {
  const raw = Buffer.from(publicKey.replace('whpk_', ''), 'base64');
  const der = Buffer.concat([SPKI_PREFIX, raw]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signed = '',
  } = headers as Record<string, string>;
  const [version, signature = ''] = signed.split(',');
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]);
  return version === 'v1a' && verify(null, content, key, Buffer.from(signature, 'base64'));
}

/** Runs a program of the guide to its end. @returns what it printed */
async function runToEnd(path: string, settings: Record<string, string>): Promise<string> {
  await using program = run([path], settings);
  const [code] = await program.exited;
  expect([path, code]).toEqual([path, 0]);
  return program.output();
}

test('a customer gets what it asks for in the portal of a product, by the programs of the guide, while workers are killed', async () => {
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

  const portal = { name: 'Shop', colour: null, logo: null, origins: [] };
  const put = { token: owner.accessToken, body: portal };
  expect((await call('PUT', `${webhooks}/api/portals/shop`, put)).status).toBe(200);
  const url = (await runToEnd(`${guide.folder}/portal.js`, settings)).trim();
  const link = { body: { token: url.slice(url.lastIndexOf('/') + 1) } };
  const opened = await call('POST', `${webhooks}/api/portal-sessions/open`, link);
  const token = text(opened.body, 'accessToken');

  await using receiver = await startReceiver();
  const subscribe = async (path: string, asked: object) =>
    (
      await call('POST', `${webhooks}/api/webhooks`, {
        token,
        body: { url: `${receiver.url}${path}`, events: ['shop.*'], filter: FILTER, ...asked },
      })
    ).body;
  const secret = text(await subscribe('/v1', {}), 'secret');
  const publicKey = text(await subscribe('/v1a', { signature: 'ed25519' }), 'publicKey');

  const worker = atrium.platform.process('worker');
  const published = runToEnd(`${guide.folder}/publish.js`, settings);
  for (const received of [1, ORDERS / 2]) {
    await receiver.waitFor(received);
    await worker.kill('SIGKILL');
    await worker.restart();
  }
  expect(await published).toBe(`published ${ORDERS}\n`);
  const received = (path: string) => receiver.requests.filter((request) => request.path === path);
  const orders = (path: string) => new Set(received(path).map(orderOf));
  // What a killed worker had leased is sent again a minute later.
  const isComplete = (path: string) => orders(path).size >= MATCHING.length;
  await until(() => isComplete('/v1') && isComplete('/v1a'), { timeoutMs: 150_000 });
  // Published once each, also when all of it is published again.
  expect(await runToEnd(`${guide.folder}/publish.js`, settings)).toBe(`published ${ORDERS}\n`);
  for (const path of ['/v1', '/v1a']) {
    expect(orders(path)).toEqual(new Set(MATCHING));
    const ids = new Set(received(path).map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(MATCHING.length);
  }
  const verifiers = [new Webhook(secret), new SvixWebhook(secret)];
  for (const { rawBody, headers } of received('/v1')) {
    for (const verifier of verifiers) verifier.verify(rawBody, headers as Record<string, string>);
  }
  const unsigned = received('/v1a').filter((request) => !isSignedWith(publicKey, request));
  expect(unsigned).toEqual([]);
});
