import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { recordPlan } from '@atrium/service-kit/owner-plans';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Call, startHarness } from '../harness.fixture.ts';
import { order, PAID, publisher } from '../publishing/publisher.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
let product: ReturnType<typeof publisher>;
beforeAll(async () => {
  harness = await startHarness();
  product = publisher(harness);
});
afterEach(() => product.clear());
afterAll(() => harness?.[Symbol.asyncDispose]());

const URL = 'https://93.184.216.34/hook';
const SETTINGS = {
  name: 'Shop',
  colour: '#0a6847',
  logo: 'https://auth.example/avatars/x',
  origins: ['https://app.shop.example'],
};
const owner = newId('usr');
const applicationId = newId('app');
const customer = newId('usr');
const tokenOf = (application: string, scope = 'events:publish') =>
  harness.issuer.issueToken({ sub: owner, applicationId: application, scope });
const as =
  (token: string) =>
  (path: string, options: Call = {}) =>
    harness.call(path, { ...options, token });
const ask = (body: object, token = tokenOf(applicationId)) =>
  as(token)('/api/portal-sessions', { method: 'POST', body });
const open = (token: string) =>
  harness.call('/api/portal-sessions/open', { method: 'POST', body: { token }, token: '' });
const tokenIn = (url: string) => url.split('/').at(-1) ?? '';

/** The product `shop` of the owner with a portal, whose application may reach everybody. */
async function registerShop(): Promise<void> {
  const token = tokenOf(applicationId);
  await product.put('shop.order_paid', PAID, token);
  const put = { method: 'PUT', body: SETTINGS } as const;
  expect((await as(token)('/api/portals/shop', put)).status).toBe(200);
  await harness.database.query('UPDATE namespaces SET trusted_application_id = $1', [
    applicationId,
  ]);
}

/** What the pages of the portal of `shop` send for the customer. */
async function enter(): Promise<ReturnType<typeof as>> {
  await registerShop();
  const { body } = await ask({ namespace: 'shop', accountId: customer });
  return as((await open(tokenIn(body.url))).body.accessToken);
}

const subscribe = (call: ReturnType<typeof as>, events: string[]) =>
  call('/api/webhooks', { method: 'POST', body: { url: URL, events } });
const own = () => as(harness.issuer.issueToken({ sub: customer, plan: 'pro' }));

describe('a link to a portal', () => {
  test('opens it with what its owner has set, for an hour, and only its hash is stored', async () => {
    await registerShop();
    const { status, body } = await ask({ namespace: 'shop', accountId: customer });
    expect(status).toBe(201);
    expect(body.url).toMatch(/^https:\/\/atrium\.example\/portal\/ptl_[\w-]{43}$/);
    expect((Date.parse(body.expiresAt) - Date.now()) / 60_000).toBeCloseTo(60, 0);
    const token = tokenIn(body.url);
    const opened = await open(token);
    expect(opened).toMatchObject({
      status: 200,
      body: { portal: { namespace: 'shop', ...SETTINGS }, expiresAt: body.expiresAt },
    });
    const { accessToken } = opened.body;
    const stored = JSON.stringify(await harness.database.query('SELECT * FROM portal_sessions'));
    for (const secret of [token, accessToken]) expect(stored).not.toContain(secret);
    // Neither does the work of the other.
    expect((await as(token)('/api/webhooks')).status).toBe(401);
    expect((await open(accessToken)).status).toBe(404);
    await harness.database.query('UPDATE portal_sessions SET expires_at = now()');
    expect((await open(token)).status).toBe(404);
    expect((await as(accessToken)('/api/webhooks')).status).toBe(401);
    await ask({ namespace: 'shop' });
    const [left] = await harness.database.query('SELECT count(*)::int FROM portal_sessions');
    expect(left).toEqual({ count: 1 });
  });

  test('needs the scope, the product, its portal, and a customer whom its events reach', async () => {
    const token = tokenOf(applicationId);
    await product.put('shop.order_paid', PAID, token);
    const body = { namespace: 'shop' };
    expect((await ask(body)).status).toBe(404);
    await registerShop();
    expect((await ask(body)).status).toBe(201);
    expect((await ask({ namespace: 'till' })).status).toBe(404);
    expect((await ask(body, tokenOf(applicationId, 'webhooks:write'))).status).toBe(403);
    expect((await ask(body, harness.token)).status).toBe(404);
    expect((await ask(body, '')).status).toBe(401);
    expect((await ask({ ...body, accountId: 'x' })).status).toBe(422);
    const toCustomer = { ...body, accountId: customer };
    expect((await ask(toCustomer, tokenOf(newId('app')))).status).toBe(403);
    const session = harness.issuer.issueToken({ sub: owner });
    expect((await ask(toCustomer, session)).status).toBe(403);
    expect((await ask(body, session)).status).toBe(201);
  });

  test('ends when an operator trusts the application no more', async () => {
    const call = await enter();
    expect((await call('/api/webhooks')).status).toBe(200);
    await harness.database.query('UPDATE namespaces SET trusted_application_id = NULL');
    expect((await call('/api/webhooks')).status).toBe(401);
  });
});

describe('the settings of a portal', () => {
  test.each([
    [{ origins: ['http://shop.example'] }],
    [{ origins: ['https://*.shop.example'] }],
    [{ origins: ['https://shop.example/path'] }],
    [{ origins: ["https://shop.example; script-src 'self'"] }],
    [{ origins: Array.from({ length: 11 }, (_, n) => `https://a${n}.example`) }],
    [{ colour: 'red' }],
    [{ colour: '#0a6847;' }],
    [{ logo: 'javascript:alert(1)' }],
    [{ name: '' }],
  ])('are refused with %j', async (change) => {
    await product.put('shop.order_paid', PAID, tokenOf(applicationId));
    const put = { method: 'PUT', body: { ...SETTINGS, ...change } } as const;
    expect((await as(tokenOf(applicationId))('/api/portals/shop', put)).status).toBe(422);
  });

  test('are changed and listed by the owner of the product alone', async () => {
    await registerShop();
    const portal = { namespace: 'shop', ...SETTINGS };
    const { body } = await as(tokenOf(applicationId))('/api/portals');
    expect(body).toEqual({ data: [{ namespace: 'shop', portal }] });
    expect((await harness.call('/api/portals')).body).toEqual({ data: [] });
    const put = { method: 'PUT', body: SETTINGS } as const;
    expect((await harness.call('/api/portals/shop', put)).status).toBe(404);
  });
});

describe('a portal', () => {
  test('makes, changes, tests and deletes webhooks of its product, which its customer owns', async () => {
    const call = await enter();
    await using receiver = await startReceiver();
    await using _worker = await harness.startWorker();
    const body = { url: receiver.url, events: ['shop.*'] };
    const { status, body: created } = await call('/api/webhooks', { method: 'POST', body });
    expect(status).toBe(201);
    const path = `/api/webhooks/${created.id}`;
    expect((await own()(path)).status).toBe(200);
    expect((await call('/api/webhooks')).body.data).toMatchObject([{ id: created.id }]);
    const types = (await call('/api/event-types')).body.data.map(
      ({ name }: { name: string }) => name,
    );
    expect(types).toEqual(['shop.order_paid']);
    const paid = { ...order('1'), accountId: customer };
    expect((await product.publish(paid, tokenOf(applicationId))).status).toBe(202);
    await receiver.waitFor(1);
    const delivered = () =>
      until(async () => {
        const { data } = (await call(`${path}/deliveries`)).body;
        return data[0]?.state === 'delivered' && data;
      });
    const [{ id }] = await delivered();
    expect((await call(`/api/deliveries/${id}`)).body.attempts).toHaveLength(1);
    const again = { method: 'POST', body: {} } as const;
    expect((await call(`/api/deliveries/${id}/redeliver`, again)).status).toBe(202);
    const testing = { method: 'POST', body: { event: 'shop.order_paid' } } as const;
    expect((await call(`${path}/test`, testing)).status).toBe(202);
    await receiver.waitFor(3);
    const change = { method: 'PATCH', body: { description: 'Till' } } as const;
    expect((await call(path, change)).body.description).toBe('Till');
    expect((await call(path, { method: 'DELETE' })).status).toBe(204);
  });

  test('neither makes nor changes webhooks to ask for events of others', async () => {
    const call = await enter();
    for (const name of ['note.shared', 'note.*', 'shopping.order', 'shop']) {
      expect((await subscribe(call, ['shop.*', name])).status).toBe(422);
    }
    const { body: created } = await subscribe(call, ['shop.*']);
    const path = `/api/webhooks/${created.id}`;
    const change = { method: 'PATCH', body: { events: ['note.shared'] } } as const;
    expect((await call(path, change)).status).toBe(422);
    const testing = { method: 'POST', body: { event: 'note.shared' } } as const;
    expect((await call(`${path}/test`, testing)).status).toBe(422);
    expect((await call(`${path}/deliveries?event=note.shared`)).status).toBe(422);
  });

  test('does not find webhooks that ask for events of others, nor what these were sent', async () => {
    const call = await enter();
    const { body: mixed } = await subscribe(own(), ['shop.*', 'note.shared']);
    const { body: foreign } = await subscribe(as(harness.token), ['shop.*']);
    await harness.ingest([{ ...harness.event(), accountId: customer }]);
    const { body: page } = await own()(`/api/webhooks/${mixed.id}/deliveries`);
    const delivery = `/api/deliveries/${page.data[0].id}`;
    for (const id of [mixed.id, foreign.id]) {
      for (const method of ['GET', 'DELETE'] as const) {
        expect((await call(`/api/webhooks/${id}`, { method })).status).toBe(404);
      }
      expect((await call(`/api/webhooks/${id}/deliveries`)).status).toBe(404);
    }
    expect((await call('/api/webhooks')).body.data).toEqual([]);
    expect((await call('/api/webhooks/health')).body.data).toEqual([]);
    expect((await call(delivery)).status).toBe(404);
    // Its owner may send one of the portal a test event of others.
    const { body: covered } = await subscribe(call, ['shop.*']);
    const path = `/api/webhooks/${covered.id}`;
    const testing = { method: 'POST', body: { event: 'note.shared' } } as const;
    const { body: sent } = await own()(`${path}/test`, testing);
    expect((await call(`${path}/deliveries`)).body.data).toEqual([]);
    expect((await call(`/api/deliveries/${sent.deliveryId}`)).status).toBe(404);
    expect((await call('/api/webhooks/health')).body.data).toMatchObject([{ id: covered.id }]);
  });

  test('never gets back a webhook that its owner let ask for events of others, which may wait', async () => {
    const call = await enter();
    const { body } = await subscribe(call, ['shop.*']);
    const path = `/api/webhooks/${body.id}`;
    const ask = (events: string[]) => own()(path, { method: 'PATCH', body: { events } });
    await ask(['shop.order_paid']);
    expect((await call(path)).status).toBe(200);
    for (const events of [['shop.*', 'note.shared'], ['shop.*']]) {
      await ask(events);
      const change = { method: 'PATCH', body: { url: `${URL}/elsewhere` } } as const;
      expect((await call(path, change)).status).toBe(404);
      expect((await call('/api/webhooks')).body.data).toEqual([]);
    }
    expect((await own()(path)).body.url).toBe(URL);
  });

  test('allows as many webhooks as the plan of its customer does', async () => {
    const call = await enter();
    const fill = async (count: number) => {
      for (let made = 0; made < count; made += 1) await subscribe(call, ['shop.*']);
    };
    await fill(PLAN_LIMITS.free.webhooks);
    expect((await subscribe(call, ['shop.*'])).status).toBe(403);
    await recordPlan(harness.database, {
      id: newId('msg'),
      kind: 'plan.changed',
      accountId: customer,
      createdAt: new Date().toISOString(),
      data: { plan: 'pro' },
    });
    expect((await subscribe(call, ['shop.*'])).status).toBe(201);
  });

  test('is refused by every route that is not for it', async () => {
    const call = await enter();
    const { body: document } = await harness.call('/openapi.json');
    const paths: [string, Record<string, { operationId: string; security?: object[] }>][] =
      Object.entries(document.paths);
    const statuses: [string, number][] = [];
    for (const [path, operations] of paths) {
      for (const [method, { operationId, security }] of Object.entries(operations)) {
        if (!security?.some((each) => 'bearer' in each)) continue;
        const url = path.replace('{id}', newId('whk')).replaceAll(/\{\w+\}/g, 'x');
        const { status } = await call(url, { method: method.toUpperCase() as 'GET' });
        statuses.push([operationId, status]);
      }
    }
    const isRefused = (status: number) => status === 401 || status === 403;
    const admitted = statuses.filter(([, status]) => !isRefused(status)).map(([name]) => name);
    expect(statuses.length).toBeGreaterThan(30);
    expect(admitted.toSorted()).toEqual([
      'createWebhook',
      'deleteWebhook',
      'getDelivery',
      'getWebhook',
      'getWebhooksHealth',
      'listEventTypes',
      'listWebhookDeliveries',
      'listWebhooks',
      'pauseWebhook',
      'previewWebhookFilter',
      'redeliverDelivery',
      'restoreWebhook',
      'resumeWebhook',
      'rotateWebhookSecret',
      'sendTestEvent',
      'tryWebhookNow',
      'updateWebhook',
    ]);
  });
});
