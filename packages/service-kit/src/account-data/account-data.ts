import { randomUUID } from 'node:crypto';
import {
  type DataService,
  EXPORT_PART_MAX_UNITS,
  type Message,
} from '@atrium/contracts/account-messages';
import { INBOX } from '@atrium/contracts/queues';
import { type Database, type Origin, originOf, type Sql } from '../database/database.ts';
import { recordPlan } from './owner-plans.ts';

/** The name of a list in the export, and its records page by page. */
export type Collection = readonly [name: string, pages: AsyncIterable<readonly object[]>];

const ERASE_BATCH = 500;

/**
 * Repeats a statement that deletes and returns some rows until none are left. Each run is a
 * transaction of its own, so an interrupted erasure resumes where it stopped.
 *
 * @param statement its last parameter is how many rows to delete, 500 by default.
 * @throws the reason of the signal once it is aborted
 */
export async function eraseInBatches(
  sql: Sql,
  statement: string,
  values: readonly unknown[],
  { batch = ERASE_BATCH, signal }: { batch?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let removed: object[];
  do {
    signal?.throwIfAborted();
    removed = await sql.query(statement, [...values, batch]);
  } while (removed.length > 0);
}

interface PageQuery {
  where: { id: { gt: string } };
  orderBy: { id: 'asc' };
  take: number;
}

/** Pages of rows in the order of their id, for an export with typed queries. */
export async function* pagesById<Row extends { id: string }>(
  take: number,
  find: (query: PageQuery) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after = '';
  for (;;) {
    const rows = await find({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}

/**
 * Sends the data of an account to auth, as the JSON text of one object with a list for each
 * collection, cut into messages of at most 512 KB. Holds one page and one message in memory. It may
 * be interrupted and started again: parts carry the id of their run.
 */
export async function sendExport(
  database: Database,
  { exportId, accountId }: { exportId: string; accountId: string },
  origin: Origin,
  service: DataService,
  collections: readonly Collection[],
): Promise<void> {
  const run = randomUUID();
  let number = 0;
  let text = '';
  const send = async (isLast: boolean) => {
    const part = text.slice(0, isLast ? undefined : cutAt(text));
    text = text.slice(part.length);
    const data = { exportId, service, run, number, isLast, text: part };
    number++;
    await database.transaction(origin, (tx) =>
      tx.append({ queue: INBOX.auth, kind: 'export.part', accountId, data }),
    );
  };
  for await (const piece of jsonOf(collections)) {
    text += piece;
    while (text.length > EXPORT_PART_MAX_UNITS) await send(false);
  }
  await send(true);
}

/** Never within a surrogate pair: neither half is a character. */
function cutAt(text: string): number {
  const unit = text.charCodeAt(EXPORT_PART_MAX_UNITS - 1);
  const isHighSurrogate = unit >= 0xd800 && unit <= 0xdbff;
  return isHighSurrogate ? EXPORT_PART_MAX_UNITS - 1 : EXPORT_PART_MAX_UNITS;
}

async function* jsonOf(collections: readonly Collection[]): AsyncGenerator<string> {
  yield '{';
  for (const [index, [name, pages]] of collections.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`;
    let isFirst = true;
    for await (const page of pages) {
      for (const record of page) {
        yield `${isFirst ? '' : ','}${JSON.stringify(record)}`;
        isFirst = false;
      }
    }
    yield ']';
  }
  yield '}';
}

/** How a service erases and exports the data of an account. */
export interface AccountData {
  service: DataService;
  database: Database;
  /** Deletes every row of the account, in small steps. */
  erase: (accountId: string) => Promise<void>;
  collections: (accountId: string) => readonly Collection[];
  /** Whether the service keeps the plans of accounts, in the table `owners`. */
  keepsPlans?: boolean;
  /** Keeps which id an account had where it was imported from. */
  recordExternalId?: (accountId: string, externalId: string) => Promise<void>;
}

/**
 * A handler for `startMessageConsumer` of a service that only holds data of accounts.
 *
 * @throws Error for other kinds of messages, so that they are sent again until a newer version runs.
 */
export function accountDataHandler(data: AccountData): (message: Message) => Promise<void> {
  return async (message) => {
    switch (message.kind) {
      case 'account.deleted':
        await data.erase(message.accountId);
        return;
      case 'export.requested':
        await sendExport(
          data.database,
          { accountId: message.accountId, exportId: message.data.exportId },
          originOf(message),
          data.service,
          data.collections(message.accountId),
        );
        return;
      case 'plan.changed':
        if (data.keepsPlans !== true) break;
        await recordPlan(data.database, message);
        return;
      case 'account.imported':
        if (data.recordExternalId === undefined) break;
        await data.recordExternalId(message.accountId, message.data.externalId);
        return;
      default:
    }
    throw new Error(`${data.service} cannot handle ${message.kind}`);
  };
}
