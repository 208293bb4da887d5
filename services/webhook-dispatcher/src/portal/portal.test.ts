import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { recordPlan } from '@atrium/service-kit/owner-plans';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { order } from '../publishing/publisher.fixture.ts';
import { startPortals } from './portal.fixture.ts';

const { harness, product, customer, tokenOf, as, enter } = await startPortals();
afterEach(() => product.clear());
afterAll(() => harness[Symbol.asyncDispose]());

const URL = 'https://93.184.216.34/hook';
const subscribe = (call: ReturnType<typeof as>, events: string[]) =>
  call('/api/webhooks', { method: 'POST', body: { url: URL, events } });
const own = () => as(harness.issuer.issueToken({ sub: customer, plan: 'pro' }));

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
    expect((await product.publish(paid, tokenOf())).status).toBe(202);
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

  test('is not told what its customer was answered, by the same request with the same key', async () => {
    const call = await enter();
    const create = { method: 'POST', body: { url: URL, events: ['shop.*'] } } as const;
    const keyed = { ...create, headers: { 'idempotency-key': newId('evt') } };
    const { body: created } = await own()('/api/webhooks', keyed);
    const { status, body } = await call('/api/webhooks', keyed);
    expect([status, body.secret]).toEqual([422, undefined]);
    expect((await own()('/api/webhooks', keyed)).body).toEqual(created);
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
