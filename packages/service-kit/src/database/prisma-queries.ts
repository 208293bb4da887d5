import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Shares } from './shares.ts';
import type { NameStatement } from './sql.ts';

/** The part of a `PrismaClient` that this file calls. */
export interface PrismaLike {
  $transaction<Result>(
    work: (typed: object) => Promise<Result>,
    limits: { maxWait: number; timeout: number },
  ): Promise<Result>;
  $disconnect(): Promise<void>;
}

/** The models of a `PrismaClient`. Raw SQL is `Sql`'s. */
export type PrismaQueries<Client> = Omit<Client, `$${string}`>;

/** As long as the slowest statements together may take; the server ends an idle transaction sooner. */
const TRANSACTION_MAX_MS = 120_000;
const CONTROL = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

const lent = new AsyncLocalStorage<pg.PoolClient>();

/**
 * A pool of which one holder has half of the connections at most and that, when Prisma begins a transaction
 * inside one of `Database`, gives it the same connection.
 */
export class LendingPool extends pg.Pool {
  readonly #shares: Shares;

  constructor(options: pg.PoolConfig & { max: number; waitMs: number }) {
    super({ ...options, connectionTimeoutMillis: options.waitMs });
    this.#shares = new Shares(Math.ceil(options.max / 2), options.waitMs);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    const client = callback === undefined ? lent.getStore() : undefined;
    if (client !== undefined) return Promise.resolve(loanOf(client));
    const connected = this.#connectInShare();
    if (callback === undefined) return connected;
    connected.then(
      (own) => callback(undefined, own, (error) => own.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connectInShare(): Promise<pg.PoolClient> {
    const giveBack = await this.#shares.take();
    try {
      const client = await super.connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        giveBack();
      };
      return client;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

/** A connection whose user can neither begin nor end its transaction nor give it back. */
function loanOf(client: pg.PoolClient): pg.PoolClient {
  const nothing = () => undefined;
  const query = (config: pg.QueryConfig) =>
    CONTROL.has(config.text) ? Promise.resolve({ rows: [], rowCount: 0 }) : client.query(config);
  // What the adapter of Prisma uses of a connection.
  const loan: Partial<Record<keyof pg.PoolClient, unknown>> = {
    query,
    on: nothing,
    removeListener: nothing,
    release: nothing,
  };
  return loan as unknown as pg.PoolClient;
}

/** What a `PrismaClient` works through: the connections of a pool, with prepared statements. */
export function adapterOf(pool: LendingPool, nameStatement: NameStatement): PrismaPg {
  return new PrismaPg(pool, { statementNameGenerator: ({ sql }) => nameStatement(sql) ?? '' });
}

/** Typed queries in a transaction that is open on a connection. */
interface JoinedTransaction<Client> {
  readonly queries: PrismaQueries<Client>;
  /** Ends Prisma's part, if there is one, before the transaction itself is committed or rolled back. */
  end(): Promise<void>;
}

/** Prisma takes part in the transaction from the first typed query on: most transactions have none. */
export function joinTransaction<Client extends PrismaLike | undefined>(
  prisma: Client,
  client: pg.PoolClient,
): JoinedTransaction<Client> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let joined: { models: Promise<Models>; finished: Promise<void> } | undefined;
  const join = () => {
    const { promise: models, resolve, reject } = Promise.withResolvers<Models>();
    const limits = { maxWait: TRANSACTION_MAX_MS, timeout: TRANSACTION_MAX_MS };
    const finished = lent.run(client, async () =>
      prisma?.$transaction(async (queries) => {
        resolve(queries as Models);
        await ended;
      }, limits),
    );
    finished.catch(reject);
    return { models, finished };
  };
  return {
    queries: modelsOf(() => (joined ??= join()).models) as PrismaQueries<Client>,
    async end() {
      end();
      await joined?.finished;
    },
  };
}

type Queries = Record<string, (options: unknown) => Promise<unknown>>;
type Models = Record<string, Queries>;

/** Each `models.note.update(…)` is run by what `find` resolves to. */
function modelsOf(find: () => Promise<Models>): Models {
  const queriesOf = (model: string) =>
    new Proxy<Queries>(
      {},
      {
        get: (_target, query: string) => async (options: unknown) =>
          (await find())[model]?.[query]?.(options),
      },
    );
  return new Proxy<Models>({}, { get: (_target, model: string) => queriesOf(model) });
}
