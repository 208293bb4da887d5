import { newId } from '@atrium/contracts/ids';
import type { Platform } from '@atrium/local-stack/platform';
import { databaseUrl } from '@atrium/local-stack/servers';
import pg from 'pg';
import { type Figures, quantile } from '../figures.ts';
import { type Account, createAccount } from './account.ts';

const DELIVERIES = 100_000;
const BATCH = 10_000;
const SUBSCRIPTIONS = 10;
const REQUESTS_PER_FILTER = 20;
const PAGE_SIZE = 50;

/** The name of a figure. */
export const FILTER = 'filter, p95, ms';

/** Times the first page of the list of deliveries with each kind of filter, beside a list of ten rows. */
export async function measureFilters(platform: Platform): Promise<Figures> {
  const account = await createAccount(platform);
  const webhookId = await seed(platform, account.id);
  const filters = [
    '',
    'state=delivered',
    'state=undelivered',
    'state=failed',
    'state=exhausted',
    'event=note.shared',
    'state=delivered&event=note.shared',
    `webhookId=${webhookId}`,
    `webhookId=${webhookId}&state=exhausted`,
    `from=${new Date(Date.now() - 3_600_000).toISOString()}`,
    // Few of them, and old.
    'event=auth.suspicious_login',
  ];
  const url = platform.urls.webhooks;
  const times: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < REQUESTS_PER_FILTER; round += 1) {
    for (const filter of filters) {
      times.push(await timeOf(`${url}/api/deliveries?limit=${PAGE_SIZE}&${filter}`, account));
      baseline.push(await timeOf(`${url}/api/webhooks`, account));
    }
  }
  const filterMs = quantile(times, 0.95);
  const baselineMs = quantile(baseline, 0.95);
  return {
    'filter, p50, ms': quantile(times, 0.5),
    [FILTER]: filterMs,
    'list of ten webhooks, p95, ms': baselineMs,
    'ratio, p95': filterMs / baselineMs,
  };
}

async function timeOf(url: string, { token }: Account): Promise<number> {
  const startMs = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - startMs;
}

/** Stores 28 hours of deliveries: most are delivered, one in 32 is exhausted, one in 20 is a share. */
async function seed(platform: Platform, accountId: string): Promise<string> {
  const connectionString = databaseUrl(platform.databaseServerUrl, 'atrium_webhooks');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const webhookIds = Array.from({ length: SUBSCRIPTIONS }, () => newId('whk'));
    await client.query(
      `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
       SELECT id, $2, 'https://example.com/', '{go.click}', '' FROM unnest($1::text[]) AS s (id)`,
      [webhookIds, accountId],
    );
    const nowMs = Date.now();
    for (let start = 0; start < DELIVERIES; start += BATCH) {
      const ids = Array.from({ length: BATCH }, (_, i) =>
        newId('dlv', nowMs - (DELIVERIES - start - i) * 1_000),
      );
      await client.query(
        `WITH made AS (
           INSERT INTO deliveries (id, event_id, subscription_id, event)
           SELECT id, id, ($2::text[])[1 + n % ${SUBSCRIPTIONS}], CASE
             WHEN n <= 3 AND $3 THEN 'auth.suspicious_login'
             WHEN n % 20 = 0 THEN 'note.shared' ELSE 'go.click' END
           FROM unnest($1::text[]) WITH ORDINALITY AS d (id, n)
           RETURNING id, subscription_id
         ), attempted AS (
           INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status)
           SELECT id, id, 1, now(), 38, 200 FROM made
         )
         INSERT INTO undelivered (subscription_id, delivery_id, event_id, due_at, attempt_count)
         SELECT subscription_id, id, id, NULL, 5 FROM made WHERE right(id, 1) = 'a'`,
        [ids, webhookIds, start === 0],
      );
    }
    await client.query('VACUUM ANALYZE deliveries, undelivered, attempts');
    return webhookIds[0] ?? '';
  } finally {
    await client.end();
  }
}
