import { newId } from '@atrium/contracts/ids';
import type { DeliveryState } from '@atrium/contracts/webhooks/deliveries';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { type DeliverySeed, seedDelivery } from '../seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const NOON = Date.parse('2026-01-31T12:00:00.000Z');
const STATES: DeliveryState[] = ['pending', 'delivered', 'failed', 'exhausted'];

/** An account of its own with `count` subscriptions. */
async function startAccount(count = 1) {
  const accountId = newId('usr');
  const token = harness.issuer.issueToken({ sub: accountId, plan: 'pro' });
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const body = { url: `https://93.184.216.34/${i}`, events: ['note.shared'] };
    ids.push((await harness.call('/api/webhooks', { method: 'POST', body, token })).body.id);
  }
  const seed = (
    subscriptionId: string,
    overrides: Omit<DeliverySeed, 'subscriptionId' | 'accountId'>,
  ) => seedDelivery(harness.database, { subscriptionId, accountId, ...overrides });
  const get = (path: string) => harness.call(path, { token });
  /** Every page of a list in turn. */
  async function all(path: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await get(cursor === '' ? path : `${path}&cursor=${cursor}`);
      expect(status).toBe(200);
      pages.push(body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    return pages;
  }
  return { ids, id: ids[0] ?? '', seed, get, all };
}

describe('the deliveries of a subscription', () => {
  it('are searched by one account in turn, while others and whole lists are answered', async () => {
    const [busy, other] = [await startAccount(), await startAccount()];
    const searches = Array.from({ length: 100 }, () => busy.get('/api/deliveries?event=go.click'));
    const answers = await Promise.all([
      other.get('/api/deliveries?event=go.click'),
      busy.get('/api/deliveries'),
      busy.get(`/api/webhooks/${busy.id}/deliveries`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('are listed with the state derived from their rows', async () => {
    const { id, seed, get } = await startAccount();
    for (const state of STATES) await seed(id, { state });
    const { body } = await get(`/api/webhooks/${id}/deliveries`);
    const states = body.data.map((row: Record<string, unknown>) => [
      row['state'],
      row['attemptCount'],
      row['nextAttemptAt'] === null,
    ]);
    expect(states.toReversed()).toEqual([
      ['pending', 0, false],
      ['delivered', 1, true],
      ['failed', 1, false],
      ['exhausted', 5, true],
    ]);
  });

  it('have no nextAttemptAt while an attempt is in flight', async () => {
    const { id, seed, get } = await startAccount();
    const delivery = await seed(id, { state: 'failed' });
    const lease = (time: string) =>
      harness.database.query(
        `UPDATE undelivered SET due_at = now(), leased_until = ${time}, lease_id = gen_random_uuid()
         WHERE delivery_id = $1`,
        [delivery],
      );
    const next = async () => (await get(`/api/deliveries/${delivery}`)).body.nextAttemptAt;
    await lease(`now() + interval '1 minute'`);
    expect(await next()).toBeNull();
    await lease('now()');
    expect(await next()).not.toBeNull();
  });

  it.each([...STATES, 'undelivered'] as const)('are filtered by the state %s', async (state) => {
    const { id, seed, all } = await startAccount();
    const made: Record<string, string[]> = { undelivered: [] };
    for (let round = 0; round < 3; round += 1) {
      for (const each of STATES) {
        const delivery = await seed(id, { state: each, createdMs: NOON + round });
        (made[each] ??= []).unshift(delivery);
        if (each !== 'delivered') made['undelivered']?.unshift(delivery);
      }
    }
    const pages = await all(`/api/webhooks/${id}/deliveries?limit=2&state=${state}`);
    expect(pages.flat()).toEqual(made[state]?.toSorted().toReversed());
    expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
  });

  it('are filtered by event and by time of creation', async () => {
    const { id, seed, all } = await startAccount();
    const at = (hour: number, event: 'go.click' | 'note.shared') =>
      seed(id, { state: 'failed', event, createdMs: NOON + hour * 3_600_000 });
    const [, early, , late] = [
      await at(-1, 'note.shared'),
      await at(0, 'note.shared'),
      await at(1, 'go.click'),
      await at(1, 'note.shared'),
      await at(2, 'note.shared'),
    ];
    const from = new Date(NOON).toISOString();
    const to = new Date(NOON + 2 * 3_600_000).toISOString();
    const query = `limit=5&event=note.shared&from=${from}&to=${to}`;
    for (const state of ['', '&state=failed', '&state=undelivered']) {
      const pages = await all(`/api/webhooks/${id}/deliveries?${query}${state}`);
      expect(pages).toEqual([[late, early]]);
    }
    expect(await all(`/api/webhooks/${id}/deliveries?${query}&state=delivered`)).toEqual([[]]);
  });

  it('are found after thousands that a filter skips', async () => {
    const { id, seed, all } = await startAccount();
    const oldest = await seed(id, { state: 'failed', event: 'go.click', createdMs: NOON });
    const filler = newId('dlv', NOON + 1).slice(0, -4);
    await harness.database.query(
      `WITH made AS (
         INSERT INTO deliveries (id, event_id, subscription_id, event)
         SELECT $1 || lpad(n::text, 4, '0'), 'evt_' || n, $2, 'note.shared'
         FROM generate_series(1, 4500) n RETURNING id, event_id)
       INSERT INTO undelivered (subscription_id, delivery_id, event_id)
       SELECT $2, id, event_id FROM made`,
      [filler, id],
    );
    for (const filter of ['state=failed', 'event=go.click', 'state=undelivered&event=go.click']) {
      const pages = await all(`/api/webhooks/${id}/deliveries?limit=2&${filter}`);
      expect(pages.flat()).toEqual([oldest]);
      expect(pages).toHaveLength(1);
    }
  });

  it.each([
    'state=lost',
    'event=eaten',
    'from=yesterday',
    'to=2026-13-01T00:00:00Z',
    'to=2026-12-31T23:59:60Z',
    'cursor=x',
  ])('are not listed for %s', async (query) => {
    const { id, get } = await startAccount();
    expect((await get(`/api/webhooks/${id}/deliveries?${query}`)).status).toBe(422);
    expect((await get(`/api/deliveries?${query}`)).status).toBe(422);
  });
});

describe('the deliveries of an account', () => {
  it('are listed over all subscriptions, newest first, once each', async () => {
    const account = await startAccount(3);
    const other = await startAccount();
    await other.seed(other.id, { state: 'delivered' });
    const made: Record<string, string[]> = { undelivered: [] };
    for (let i = 0; i < 24; i += 1) {
      const state = STATES[i % 4] ?? 'failed';
      // The first subscription has most of the newest ones, the last the oldest.
      const subscription = account.ids[i > 15 ? 0 : i > 8 ? i % 3 : 2] ?? '';
      const delivery = await account.seed(subscription, { state, createdMs: NOON + i });
      (made[state] ??= []).unshift(delivery);
      if (state !== 'delivered') made['undelivered']?.unshift(delivery);
    }
    const pages = await account.all('/api/deliveries?limit=4&state=undelivered');
    expect(pages.flat()).toEqual(made['undelivered']);
    for (const state of [...STATES, 'undelivered']) {
      for (const limit of [1, 5, 100]) {
        const found = await account.all(`/api/deliveries?state=${state}&limit=${limit}`);
        expect(found.flat()).toEqual(made[state]);
      }
    }
    const everything = Object.values(made).flat();
    const listed = (await account.all('/api/deliveries?limit=7')).flat();
    expect(listed).toEqual([...new Set(everything)].toSorted().toReversed());
  });

  it('are filtered by subscription', async () => {
    const account = await startAccount(2);
    const other = await startAccount();
    const [first = '', second = ''] = account.ids;
    const wanted = await account.seed(second, { state: 'delivered' });
    await account.seed(first, { state: 'delivered' });
    await other.seed(other.id, { state: 'delivered' });
    expect(await account.all(`/api/deliveries?webhookId=${second}`)).toEqual([[wanted]]);
    expect(await account.all(`/api/deliveries?webhookId=${other.id}`)).toEqual([[]]);
  });

  it('have no gaps or duplicates with more subscriptions than fit on a page', async () => {
    const { ids, all } = await startAccount(60);
    const made = Array.from({ length: 300 }, (_, i) => newId('dlv', NOON + i));
    const owners = made.map((_, i) => (i > 180 ? ids[7] : ids[(i * 7) % 60]));
    await harness.database.query(
      `WITH made AS (
         INSERT INTO deliveries (id, event_id, subscription_id, event)
         SELECT id, id, subscription_id, 'note.shared'
         FROM unnest($1::text[], $2::text[]) AS d (id, subscription_id)
         RETURNING id, subscription_id)
       INSERT INTO undelivered (subscription_id, delivery_id, event_id, attempt_count)
       SELECT subscription_id, id, id, 1 FROM made`,
      [made, owners],
    );
    for (const query of [
      'limit=100',
      'limit=1',
      'limit=100&state=failed',
      'limit=30&event=note.shared',
    ]) {
      expect((await all(`/api/deliveries?${query}`)).flat()).toEqual(made.toReversed());
    }
  });
});

it('returns a delivery with its body and each of its attempts', async () => {
  const { id, seed, get } = await startAccount();
  const delivery = await seed(id, { state: 'delivered', attempts: 7 });
  const { body } = await get(`/api/deliveries/${delivery}`);
  expect(body).toMatchObject({ id: delivery, state: 'delivered', attemptCount: 7, body: '{}' });
  const numbers = body.attempts.map(({ number }: { number: number }) => number);
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect((await get('/api/deliveries/dlv_none')).status).toBe(404);
});
