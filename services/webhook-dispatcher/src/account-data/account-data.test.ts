import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { tablesMentioning } from '@atrium/testkit/mentions';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { accountCollections, eraseAccount } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

test('security 31: a deleted account is erased in webhooks, and no other is touched', async () => {
  const { database, accountId } = harness;
  await using receiver = await startReceiver();
  const { id: alive } = await harness.subscribe(receiver.url);
  const { id: deleted } = await harness.subscribe(`${receiver.url}/deleted`);
  const eveId = newId('usr');
  const eve = harness.issuer.issueToken({ sub: eveId });
  const body = { url: receiver.url, events: ['note.shared'] };
  const eves = await harness.call('/api/webhooks', { method: 'POST', body, token: eve });

  const events = Array.from({ length: 20 }, (_, i) =>
    harness.event({ title: `Of the deleted ${i}` }),
  );
  {
    await using _worker = await harness.startWorker();
    await harness.send([...events, { ...harness.event({ title: 'Eve' }), accountId: eveId }]);
    await receiver.waitFor(41);
  }
  await harness.call(`/api/webhooks/${alive}/recover`, {
    method: 'POST',
    headers: { 'idempotency-key': 'once' },
    body: { since: new Date(0).toISOString() },
  });
  await harness.call(`/api/webhooks/${deleted}`, { method: 'DELETE' });
  // An event of a purged subscription, and a payload that could not be parsed.
  await database.query(
    `INSERT INTO events (id, event, account_id, body) VALUES ($1, 'note.shared', $2, '{}')`,
    [newId('evt'), accountId],
  );
  await database.query(
    `INSERT INTO held_deliveries (event_id, event, subscription_id) VALUES ($1, 'note.shared', $2)`,
    [newId('evt'), alive],
  );
  await database.query(`INSERT INTO rejected_events (reason, payload) VALUES ('broken', $1)`, [
    JSON.stringify({ accountId }),
  ]);
  const ofAda = [accountId, alive, deleted, 'Of the deleted', ...events.map(({ id }) => id)];
  expect(await tablesMentioning(database, ofAda)).toEqual(
    expect.arrayContaining([
      'deliveries',
      'events',
      'held_deliveries',
      'idempotency_keys',
      'rejected_events',
      'subscriptions',
    ]),
  );

  const attempts = 'SELECT count(*)::int AS attempts FROM attempts';
  await until(async () => (await database.query(attempts))[0]?.['attempts'] === 41);
  await eraseAccount(harness.database, accountId);
  expect(await tablesMentioning(database, ofAda)).toEqual([]);
  expect(await database.query(attempts)).toEqual([{ attempts: 1 }]);
  const history = await harness.call(`/api/webhooks/${eves.body.id}/deliveries`, { token: eve });
  expect(history.body.data).toHaveLength(1);

  await harness.ingest([harness.event()]);
  expect(await tablesMentioning(database, [accountId])).toEqual([]);
});

test('exports every webhook and delivery of the account, and no secret', async () => {
  const { accountId } = harness;
  const { id, secret } = await harness.subscribe('https://93.184.216.34/exported');
  const filter = { 'data.title': { $startsWith: 'G' } };
  await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { filter } });
  await harness.ingest([harness.event(), harness.event(), harness.event()]);
  const held: Record<string, object[]> = {};
  for (const [name, pages] of accountCollections(harness.database, accountId)) {
    const records: object[] = [];
    for await (const page of pages) records.push(...page);
    held[name] = records;
  }
  expect(held['webhooks']).toMatchObject([{ id, url: 'https://93.184.216.34/exported', filter }]);
  expect(held['deliveries']).toHaveLength(3);
  expect(JSON.stringify(held)).not.toContain(secret);
  expect(JSON.stringify(held)).not.toContain('sealed');
});
