import { newId } from '@atrium/contracts/ids';
import { startTokenIssuer } from '@atrium/testkit/tokens';
import { Pool } from 'undici';
import { type Figures } from '../figures.ts';
import { cpuSecondsOf } from '../cpu-time.ts';
import type { Environment } from './environment.ts';
import { referrerOf } from './receiver-report.ts';
import { PADDING } from './seed.ts';

const ACCOUNTS = 50;
const BATCH_SIZES = [1, 100];
const WARM_UP_SECONDS = 2;
const SECONDS = 8;
const SENDERS = 16;
/** Limit of events that are published but not received. */
const OUTSTANDING_MAX = 4_000;
const ARRIVAL_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 30_000;
const TYPE = 'bench.published';
const SCHEMA = {
  type: 'object',
  required: ['referrer', 'text'],
  properties: { referrer: { type: 'string', maxLength: 200 }, text: { type: 'string' } },
};

/** From `POST /api/events` to the POST at the receiver, one event by one and in batches. */
export async function publish(environment: Environment): Promise<Figures> {
  const { receiver } = environment;
  await using running = new AsyncDisposableStack();
  const issuer = running.use(await startTokenIssuer());
  const owner = newId('usr');
  const applicationId = newId('app');
  const token = issuer.issueToken({ sub: owner, applicationId, scope: 'events:publish' });
  await register(environment, owner, applicationId);
  const accountIds = await subscribeAll(environment);
  const worker = running.use(await environment.startWorker());
  const { child, origin } = await environment.startWebhooks(issuer.origin);
  running.use(child);
  const pool = new Pool(origin, { connections: SENDERS, pipelining: 1 });
  running.defer(() => pool.close());
  await untilServing(origin, child.died);

  const { postgres, redis } = environment.serverPids;
  const pids = { API: child.pid, worker: worker.pid, Postgres: postgres, Redis: redis };
  const figures: Figures = {};
  for (const size of BATCH_SIZES) {
    const load = { pool, token, accountIds, size };
    await receiver.reset();
    const warm = await send(environment, { ...load, seconds: WARM_UP_SECONDS });
    await receiver.waitFor(warm, ARRIVAL_TIMEOUT_MS);
    await receiver.reset();
    const before = await cpuSecondsOf(pids);
    const startedMs = performance.now();
    const sent = await send(environment, { ...load, seconds: SECONDS });
    const { received } = await receiver.report();
    figures[`events/s by ${size}`] = (received / (performance.now() - startedMs)) * 1000;
    const { distinct } = await receiver.waitFor(sent, ARRIVAL_TIMEOUT_MS);
    const after = await cpuSecondsOf(pids);
    for (const [name, used] of Object.entries(after)) {
      const per = (used - (before[name] ?? NaN)) / sent;
      figures[`${name} CPU s / 1,000 by ${size}`] = per * 1000;
    }
    figures[`lost by ${size}`] = sent - distinct;
  }
  return figures;
}

/** The event type, of an application that may publish to everybody. */
async function register({ webhooks }: Environment, owner: string, applicationId: string) {
  await webhooks.query(
    `INSERT INTO namespaces (name, account_id, trusted_application_id) VALUES ('bench', $1, $2)`,
    [owner, applicationId],
  );
  await webhooks.query(
    `INSERT INTO event_types (name, namespace, description, example, version)
     VALUES ($1, 'bench', '', '{}', 1)`,
    [TYPE],
  );
  await webhooks.query(
    `INSERT INTO event_type_versions (name, version, schema) VALUES ($1, 1, $2::json)`,
    [TYPE, JSON.stringify(SCHEMA)],
  );
}

async function subscribeAll(environment: Environment): Promise<string[]> {
  const accountIds: string[] = [];
  for (let i = 0; i < ACCOUNTS; i += 1) {
    const { id, accountId } = await environment.subscribe();
    await environment.webhooks.query(
      `UPDATE subscriptions SET events = '{bench.*}' WHERE id = $1`,
      [id],
    );
    accountIds.push(accountId);
  }
  return accountIds;
}

interface Load {
  pool: Pool;
  token: string;
  accountIds: readonly string[];
  /** Events of one request. */
  size: number;
  seconds: number;
}

/** Publishes as fast as the receiver gets them. @returns how many */
async function send(environment: Environment, load: Load): Promise<number> {
  const { pool, token, accountIds, size, seconds } = load;
  const endMs = performance.now() + seconds * 1000;
  let sent = 0;
  let received = 0;
  const feedback = setInterval(() => {
    void environment.receiver.report().then((report) => {
      received = report.received;
    });
  }, 20);
  const publishOnce = async () => {
    const from = sent;
    sent += size;
    const nowMs = performance.timeOrigin + performance.now();
    const events = Array.from({ length: size }, (_, n) => ({
      type: TYPE,
      accountId: accountIds[(from + n) % accountIds.length],
      id: String(nowMs) + String(from + n),
      data: { referrer: referrerOf(from + n, nowMs), text: PADDING },
    }));
    const answer = await pool.request({
      path: '/api/events',
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(size === 1 ? events[0] : events),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 202) throw new Error(`Publishing was answered ${text}`);
  };
  const work = async () => {
    while (performance.now() < endMs) {
      if (sent - received > OUTSTANDING_MAX) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      } else await publishOnce();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, work)).finally(() => clearInterval(feedback));
  return sent;
}

async function untilServing(origin: string, died: Promise<never>): Promise<void> {
  const isServing = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok;
  const endMs = performance.now() + START_TIMEOUT_MS;
  while ((await Promise.race([isServing(), died])) !== true) {
    if (performance.now() > endMs) throw new Error(`${origin} is not ready`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
