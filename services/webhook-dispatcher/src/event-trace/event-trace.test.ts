import { EVENT_CATALOGUE } from '@atrium/contracts/webhooks/event-catalogue';
import type { EventName } from '@atrium/contracts/events';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedBetween } from '../changed-between.fixture.ts';
import { createDeliveryHistory } from '../delivery-history/store.ts';
import { startHarness } from '../harness.fixture.ts';
import { ingestBatch } from '../ingestion/ingest.ts';
import { createEventTraces } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const NAMES: EventName[] = ['go.click', 'note.shared', 'auth.suspicious_login'];

describe('the trace of an event', () => {
  it('holds cause, data, and each delivery with its attempts', async () => {
    await using receiver = await startReceiver({
      respond: (_n, { path }) => ({ status: path === '/flaky' && isBroken ? 500 : 204 }),
    });
    let isBroken = true;
    const good = await harness.subscribe(`${receiver.url}/good`);
    const flaky = await harness.subscribe(`${receiver.url}/flaky`);
    const data = { ...EVENT_CATALOGUE['note.shared'].example };
    const event = { ...harness.event(data), requestId: 'request-1' };
    await using _worker = await harness.startWorker({
      WEBHOOK_RETRY_DELAYS_MS: [200, 200, 200, 200],
    });
    await harness.send([event]);
    const read = async () => (await harness.call(`/api/events/${event.id}`)).body;
    await until(async () => (await read()).deliveries?.[1]?.attempts.length === 1);
    isBroken = false;
    const trace = await until(async () => {
      const found = await read();
      return (
        found.deliveries.every(({ state }: { state: string }) => state === 'delivered') && found
      );
    });
    const { id, createdAt } = event;
    const cause = { kind: 'share', noteId: data.noteId, occurredAt: data.sharedAt };
    expect(trace).toMatchObject({ id, createdAt, event: 'note.shared', requestId: 'request-1' });
    expect([trace.cause, trace.data]).toEqual([cause, data]);
    const byWebhook = Object.fromEntries(
      trace.deliveries.map((delivery: { webhookId: string; attempts: { status: number }[] }) => [
        delivery.webhookId,
        [...new Set(delivery.attempts.map(({ status }) => status))],
      ]),
    );
    expect(byWebhook).toEqual({ [good.id]: [204], [flaky.id]: [500, 204] });
  });

  it('has the attempts of the moment that its deliveries are of, as a delivery has', async () => {
    await harness.subscribe('https://93.184.216.34/meanwhile');
    const { id } = harness.event();
    await harness.ingest([{ ...harness.event(), id }]);
    const attempt = () =>
      harness.database.query(
        `WITH counted AS (
           UPDATE undelivered SET attempt_count = attempt_count + 1 WHERE event_id = $1
           RETURNING delivery_id, attempt_count
         )
         INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status, error)
         SELECT 'att_' || delivery_id || attempt_count, delivery_id, attempt_count, now(), 7, 500, ''
         FROM counted`,
        [id],
      );
    await attempt();
    const database = changedBetween(harness.database, attempt);
    const trace = await createEventTraces(database)(id, harness.accountId);
    const [delivery] = trace?.deliveries ?? [];
    expect(delivery?.attempts).toHaveLength(1);
    expect(delivery).toMatchObject({ attemptCount: 1 });
    const history = createDeliveryHistory({ ...harness.database, ...database }, harness.replica);
    const found = await history.find(delivery?.id ?? '', harness.accountId);
    expect(found?.attempts).toHaveLength(found?.attemptCount ?? 0);
    expect(
      (await history.find(delivery?.id ?? '', harness.accountId))?.attemptCount,
    ).toBeGreaterThan(found?.attemptCount ?? 0);
  });

  it.each(NAMES)('names what caused %s', async (name) => {
    const { id: webhookId } = await harness.subscribe('https://93.184.216.34/', [name]);
    const example = EVENT_CATALOGUE[name].example;
    const event = { ...harness.event({ ...example }), event: name };
    await harness.ingest([event]);
    const { body } = await harness.call(`/api/events/${event.id}`);
    const note = { kind: 'note', noteId: EVENT_CATALOGUE['note.created'].example.noteId };
    const expected = {
      'go.click': { kind: 'click', linkId: EVENT_CATALOGUE['go.click'].example.linkId },
      'note.created': note,
      'note.updated': note,
      'note.deleted': note,
      'note.shared': { ...note, kind: 'share' },
      'workspace.member_added': {
        kind: 'member',
        workspaceId: EVENT_CATALOGUE['workspace.member_added'].example.workspaceId,
      },
      'auth.suspicious_login': {
        kind: 'login',
        sessionId: EVENT_CATALOGUE['auth.suspicious_login'].example.sessionId,
      },
    }[name];
    expect(body.cause).toMatchObject(expected);
    expect(body.deliveries.map((each: { webhookId: string }) => each.webhookId)).toContain(
      webhookId,
    );
  });

  it.each(NAMES)('has no cause when the data of %s lacks its fields', async (name) => {
    await harness.subscribe('https://93.184.216.34/', [name]);
    const event = { ...harness.event({ unknown: true }), event: name };
    await harness.ingest([event]);
    const { status, body } = await harness.call(`/api/events/${event.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: event.id, cause: null, data: { unknown: true } });
  });

  it('names a test as the cause of a test event', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    await harness.call(`/api/webhooks/${id}/test`, {
      method: 'POST',
      body: { event: 'note.shared' },
    });
    const delivery = await harness.deliveryOf(id);
    const { body } = await harness.call(`/api/events/${delivery?.eventId}`);
    expect(body.cause).toEqual({ kind: 'test', occurredAt: body.createdAt });
  });

  it('names the webhooks whose deliveries are held', async () => {
    const { id: held } = await harness.subscribe('https://93.184.216.34/', ['note.created']);
    const first = { ...harness.event(), event: 'note.created' as const };
    const example = { ...EVENT_CATALOGUE['note.created'].example };
    const event = { ...harness.event(example), event: 'note.created' as const };
    await harness.ingest([first]);
    const deps = { ...harness.ingestDeps(), accountBacklogMax: 1, random: () => 0 };
    await ingestBatch({ events: [event] }, deps);
    const { body } = await harness.call(`/api/events/${event.id}`);
    expect(body).toMatchObject({
      id: event.id,
      cause: { kind: 'note' },
      deliveries: [],
      held: [held],
    });
    await harness.database.query('DELETE FROM held_deliveries');
  });

  it('is not found by another account', async () => {
    await harness.subscribe('https://93.184.216.34/');
    const event = harness.event({ ...EVENT_CATALOGUE['note.shared'].example });
    await harness.ingest([event]);
    const path = `/api/events/${event.id}`;
    expect((await harness.call(path)).status).toBe(200);
    expect((await harness.call(path, { token: harness.issuer.issueToken() })).status).toBe(404);
  });
});
