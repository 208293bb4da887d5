import { newId } from '@atrium/contracts/ids';
import pg from 'pg';
import { Pool } from 'undici';
import type { Child } from '../child.ts';
import { type Figures, quantile } from '../figures.ts';
import type { Environment } from './environment.ts';
import { referrerOf } from './receiver-report.ts';

const LINKS = 50;
const RATES_PER_SECOND = [100, 300];
const SECONDS = 8;
const WARM_UP_SECONDS = 2;
export const CONNECTIONS = 16;
const ARRIVAL_TIMEOUT_MS = 60_000;
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** From the request of a click on a short link to the POST at the receiver. */
export async function click(environment: Environment): Promise<Figures> {
  const { receiver } = environment;
  await using running = new AsyncDisposableStack();
  running.use(await environment.startWorker());
  const slugs = await createLinks(environment);
  const { child, origin } = await environment.startLinks();
  running.use(child);
  await untilRedirecting(`${origin}/${slugs[0]}`, child);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  running.defer(() => pool.close());
  await receiver.reset();
  const warmUp = await followAt(pool, slugs, { rate: 100, seconds: WARM_UP_SECONDS });
  await receiver.waitFor(warmUp, ARRIVAL_TIMEOUT_MS);

  const figures: Figures = {};
  for (const rate of RATES_PER_SECOND) {
    await receiver.reset();
    const count = await followAt(pool, slugs, { rate, seconds: SECONDS });
    // A click that is lost is counted, not waited for without end.
    await receiver.waitFor(count, ARRIVAL_TIMEOUT_MS).catch(() => undefined);
    const { distinct, latenciesMs = [] } = await receiver.report('latencies');
    for (const q of [0.5, 0.95, 0.99]) {
      figures[`p${q * 100} at ${rate}/s, ms`] = quantile(latenciesMs, q);
    }
    figures[`lost at ${rate}/s`] = count - distinct;
  }
  return figures;
}

/** Links of different accounts, each with a subscription, straight into the database. */
export async function createLinks(environment: Environment): Promise<string[]> {
  const client = new pg.Client({ connectionString: environment.linksUrl });
  await client.connect();
  try {
    const slugs: string[] = [];
    for (let i = 0; i < LINKS; i += 1) {
      const { accountId } = await environment.subscribe();
      const id = newId('lnk');
      await client.query('INSERT INTO links (id, owner_id, slug, url) VALUES ($1, $2, $3, $4)', [
        id,
        accountId,
        id,
        'https://example.com/',
      ]);
      slugs.push(id);
    }
    return slugs;
  } finally {
    await client.end();
  }
}

export async function untilRedirecting(url: string, child: Child): Promise<void> {
  const isRedirecting = async () => {
    const answer = await fetch(url, { method: 'HEAD', redirect: 'manual' }).catch(() => undefined);
    return answer?.status === 302;
  };
  while (!(await Promise.race([isRedirecting(), child.died]))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Follows the links in turn, evenly spaced whatever the answers take; returns how often. */
export async function followAt(
  pool: Pool,
  slugs: readonly string[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<number> {
  const count = rate * seconds;
  const startedMs = performance.now();
  const requests: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    const waitMs = startedMs + (n * 1000) / rate - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    requests.push(follow(pool, slugs[n % slugs.length] ?? '', n));
  }
  await Promise.all(requests);
  return count;
}

/** Only a GET is a click. */
export async function follow(
  pool: Pool,
  slug: string,
  n: number,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<void> {
  const nowMs = performance.timeOrigin + performance.now();
  const answer = await pool.request({
    path: `/${slug}`,
    method,
    headers: { 'user-agent': USER_AGENT, referer: referrerOf(n, nowMs) },
  });
  await answer.body.dump();
  if (answer.statusCode !== 302) throw new Error(`A click was answered ${answer.statusCode}`);
}
