import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
/** Names that the name server was asked about. It knows one and is silent about all others. */
const asked: string[] = [];
beforeAll(async () => {
  harness = await startHarness({
    addressQueries: {
      resolve4(name) {
        asked.push(name);
        if (name !== 'known.example') return new Promise(() => undefined);
        return Promise.resolve([{ address: '127.0.0.1', ttl: 0 }]);
      },
      resolve6: async () => [],
    },
  });
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const create = (name: string, token?: string) =>
  harness.call('/api/webhooks', {
    method: 'POST',
    body: { url: `http://${name}/`, events: ['note.shared'] },
    ...(token && { token }),
  });

it('looks up 16 new names of an account at once, and those of other accounts meanwhile', async () => {
  const token = harness.issuer.issueToken({ plan: 'pro' });
  const creating = Array.from({ length: 20 }, (_, n) => create(`silent${n}.example`, token));
  await until(() => asked.length === 16);
  expect((await create('known.example')).status).toBe(201);
  expect(asked.slice(16)).toEqual(['known.example']);
  expect((await Promise.all(creating)).map(({ status }) => status)).toEqual(Array(20).fill(201));
});

it('spends no attempt of a delivery when the name of its endpoint is not found in time', async () => {
  const { id } = await harness.subscribe('http://127.0.0.1/');
  await harness.database.query(
    `UPDATE subscriptions SET url = 'http://silent.example/' WHERE id = $1`,
    [id],
  );
  await using _worker = await harness.startWorker({ WEBHOOK_TIMEOUT_MS: 3_000 });
  await harness.send([harness.event()]);
  const delivery = await until(async () => {
    const [row] = await harness.database.query<{ attempts: number; isPostponed: boolean }>(
      `SELECT attempt_count AS attempts, due_at > now() + interval '5 s' AS "isPostponed"
       FROM undelivered WHERE subscription_id = $1`,
      [id],
    );
    return row !== undefined && (row.attempts > 0 || row.isPostponed) && row;
  });
  expect(delivery).toEqual({ attempts: 0, isPostponed: true });
});
