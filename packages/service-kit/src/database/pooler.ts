import type pg from 'pg';
import { type NameStatement, statementName } from './sql.ts';

/** Prisma writes and reads times as UTC without saying so. */
const TIME_ZONE = 'UTC';

interface Limits {
  statement_timeout: number;
  idle_in_transaction_session_timeout: number;
}

const SETTINGS = {
  // No statement runs long enough to be worth compiling, which Postgres may decide to do when it overestimates one.
  jit: 'off',
  // Leases would crash Postgres 18.4 in it: docs/decisions/0044-what-expires-is-partitioned-by-time.md
  enable_partition_pruning: 'off',
};

interface Session {
  /** What each connection of the pool begins with. */
  settings: pg.PoolConfig;
  /** Added to BEGIN; empty when a session keeps what it was told. */
  beginning: string;
  nameStatement: NameStatement;
}

/** Whether a URL is that of PgBouncer in transaction mode; `pgbouncer=true` is Prisma's name for it. */
export function isPooled(url: string): boolean {
  return /[?&]pgbouncer=true(&|$)/.test(url);
}

/**
 * How to use the connections of a URL. Behind PgBouncer each transaction may be on another connection of
 * the server: nothing is prepared there, and limits and settings are those of each transaction. The time zone of
 * a client is known to PgBouncer, which sets it wherever that client's transaction runs.
 *
 * @param others settings by their names in Postgres
 */
export function sessionOf(
  url: string,
  limits: Limits,
  others: Readonly<Record<string, string>> = {},
): Session {
  const fixed = Object.entries({ ...SETTINGS, ...others });
  if (isPooled(url)) {
    const all = [...Object.entries(limits), ...fixed];
    return {
      settings: {
        // The pool waits for what this returns, which its types do not say.
        // oxlint-disable-next-line typescript/no-misused-promises
        onConnect: (client) => client.query(`SET TimeZone = '${TIME_ZONE}'`),
      },
      beginning: all.map(([name, value]) => `; SET LOCAL ${name} = ${value}`).join(''),
      nameStatement: () => undefined,
    };
  }
  const options = [['TimeZone', TIME_ZONE], ...fixed].map(([name, value]) => `-c ${name}=${value}`);
  return {
    settings: { ...limits, options: options.join(' ') },
    beginning: '',
    nameStatement: statementName,
  };
}
