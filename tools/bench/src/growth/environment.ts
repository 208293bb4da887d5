import { databaseUrl } from '@atrium/local-stack/servers';
import { type Database, openDatabase, type Sql } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { createPartitions, type Partitions } from '@atrium/service-kit/partitions';
import { LEASING_SETTINGS } from '@atrium/webhook-dispatcher/lease-store';
import { ATTEMPTS, EVENTS } from '@atrium/webhook-dispatcher/retention-store';
import { migrate, type Servers } from '../platform.ts';
import { fill, SUBSCRIPTIONS } from './fill.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
/** Days in one partition at this retention. */
const PARTITION_DAYS = 6;

/** A database of webhooks that holds deliveries of the whole retention, and of one partition that is older. */
export interface FilledDatabase extends AsyncDisposable {
  deliveries: number;
  database: Database<never>;
  /** Its session has the settings of those that lease deliveries. */
  leasing: Sql;
  subscriptionIds: string[];
  /** Deliveries that were made before then are older than the retention. */
  oldMs: number;
  /** How many of these there are. */
  oldDeliveries: number;
  /** Undefined when each table is one. */
  partitions: { attempts: Partitions; events: Partitions } | undefined;
}

export async function openFilled(
  { postgres }: Servers,
  { deliveries, isPartitioned }: { deliveries: number; isPartitioned: boolean },
): Promise<FilledDatabase> {
  await using stack = new AsyncDisposableStack();
  const name = `growth_${deliveries}_${isPartitioned ? 'partitioned' : 'plain'}`;
  const url = databaseUrl(postgres.url, name);
  await migrate('webhook-dispatcher', url);
  const open = (applicationName: string, settings: Record<string, string> = {}) =>
    stack.use(
      openDatabase<never>({ url, applicationName, settings, max: 1, statementTimeoutMs: 600_000 }),
    );
  const database = open('bench');
  const leasing = open('bench-lease', LEASING_SETTINGS);
  const seeding = open('bench-seed', { synchronous_commit: 'off' });
  const startMs =
    Math.floor(Date.now() / DAY_MS) * DAY_MS - (RETENTION_DAYS + PARTITION_DAYS) * DAY_MS;
  const options = {
    retentionDays: RETENTION_DAYS,
    logger: createLogger({ service: 'bench', level: 'warn' }),
  };
  const partitions = {
    attempts: createPartitions(database, ATTEMPTS, options),
    events: createPartitions(database, EVENTS, options),
  };
  if (isPartitioned) {
    for (let ms = startMs; ms <= Date.now(); ms += DAY_MS) {
      await partitions.attempts.create(ms);
      await partitions.events.create(ms);
    }
  } else {
    await mergePartitions(database);
  }
  const endMs = Date.now();
  const oldMs = startMs + PARTITION_DAYS * DAY_MS;
  await fill(seeding, { deliveries, startMs, endMs });
  const opened = stack.move();
  return {
    deliveries,
    database,
    leasing,
    subscriptionIds: SUBSCRIPTIONS,
    oldMs,
    oldDeliveries: Math.round((deliveries * (oldMs - startMs)) / (endMs - startMs)),
    partitions: isPartitioned ? partitions : undefined,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** As if the tables were not partitioned: retention then deletes from them what it deletes from the default partition. */
async function mergePartitions(database: Sql): Promise<void> {
  for (const table of ['events', 'attempts']) {
    await database.query(`CREATE TABLE plain_${table} (LIKE ${table} INCLUDING ALL)`);
    await database.query(`DROP TABLE ${table}`);
    await database.query(`ALTER TABLE plain_${table} RENAME TO ${table}`);
    await database.query(`CREATE VIEW ${table}_default AS SELECT * FROM ${table}`);
  }
}
