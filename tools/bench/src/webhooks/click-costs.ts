import pg from 'pg';
import { Pool } from 'undici';
import { cpuSecondsOf } from '../cpu-time.ts';
import type { Figures } from '../figures.ts';
import { createLinks, follow, untilRedirecting } from './click.ts';
import type { Environment } from './environment.ts';

/** Clicks on 50 links in turn, so that no limit of a link, an owner or an IP address is reached. */
const CLICKS = 20_000;
const WARM_UP_CLICKS = 2_000;
const WARM_UP_REDIRECTS = 10_000;
/** So many that batches are full. */
const IN_FLIGHT = 128;
const ARRIVAL_TIMEOUT_MS = 300_000;
const SIZE = `
  SELECT sum(pg_total_relation_size(relid)) AS bytes
  FROM unnest($1::text[]) AS name CROSS JOIN pg_partition_tree(name::regclass)`;

/**
 * What a click takes of processors and disks when all is busy: redirected alone, then recorded while no worker runs, then
 * delivered. `capacity/costs.ts` has these figures.
 */
export async function clickCosts(environment: Environment): Promise<Figures> {
  const { receiver, webhooks, serverPids } = environment;
  await using running = new AsyncDisposableStack();
  const slugs = await createLinks(environment);
  const { child, origin } = await environment.startLinks();
  running.use(child);
  await untilRedirecting(`${origin}/${slugs[0]}`, child);
  const http = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
  running.defer(() => http.close());
  const links = new pg.Pool({ connectionString: environment.linksUrl, max: 1 });
  running.defer(() => links.end());
  const until = async (sql: pg.Pool, condition: string) => {
    while ((await sql.query(`SELECT WHERE ${condition}`)).rowCount === 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const figures: Figures = {};
  const measure = async (
    what: string,
    pids: Record<string, number>,
    work: () => Promise<number>,
  ) => {
    const before = await cpuSecondsOf(pids);
    const count = await work();
    for (const [name, after] of Object.entries(await cpuSecondsOf(pids))) {
      figures[`${what}: ${name} CPU s / 1,000`] = ((after - (before[name] ?? NaN)) / count) * 1000;
    }
  };
  const pids = { links: child.pid, Redis: serverPids.redis, Postgres: serverPids.postgres };

  await followAll(http, slugs, WARM_UP_REDIRECTS, 'HEAD');
  await measure('redirected', pids, () => followAll(http, slugs, CLICKS, 'HEAD'));
  const stored = async (count: number) => {
    await followAll(http, slugs, count, 'GET');
    await until(links, `(SELECT count(*) FROM clicks) >= ${count}`);
    return count;
  };
  await stored(WARM_UP_CLICKS);
  await links.query('TRUNCATE clicks');
  const start = await bytes(webhooks, LOG);
  await measure('recorded', pids, () => stored(CLICKS));
  const atStored = await bytes(webhooks, LOG);
  figures['recorded: WAL, KB'] = (atStored - start) / CLICKS / 1000;
  figures['recorded: kept, KB'] = (await bytes(links, SIZE, ['clicks'])) / CLICKS / 1000;

  await receiver.reset();
  const worker = running.use(await environment.startWorker());
  // A worker's start is not part of it.
  const { received } = await receiver.waitFor(1, ARRIVAL_TIMEOUT_MS);
  const all = WARM_UP_CLICKS + CLICKS;
  await measure('delivered', { ...pids, worker: worker.pid }, async () => {
    await receiver.waitFor(all, ARRIVAL_TIMEOUT_MS);
    await until(webhooks, 'NOT EXISTS (SELECT FROM undelivered)');
    return all - received;
  });
  figures['delivered: WAL, KB'] = ((await bytes(webhooks, LOG)) - atStored) / all / 1000;
  const tables = ['events', 'deliveries', 'attempts'];
  figures['delivered: kept, KB'] = (await bytes(webhooks, SIZE, tables)) / all / 1000;
  return figures;
}

const LOG = `SELECT pg_current_wal_lsn() - '0/0' AS bytes`;

async function bytes(sql: pg.Pool, query: string, tables?: string[]): Promise<number> {
  const { rows } = await sql.query<{ bytes: string }>(query, tables && [tables]);
  return Number(rows[0]?.bytes);
}

async function followAll(
  http: Pool,
  slugs: readonly string[],
  count: number,
  method: 'GET' | 'HEAD',
): Promise<number> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const n = next++;
      await follow(http, slugs[n % slugs.length] ?? '', n, method);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return count;
}
