import type pg from 'pg';
import { type NameStatement, statementName } from './sql.ts';

interface Limits {
  statement_timeout: number;
  idle_in_transaction_session_timeout: number;
}

interface Session {
  /** Of the pool: what each connection begins with. */
  settings: pg.PoolConfig;
  /** Added to BEGIN. */
  beginning: string;
  nameStatement: NameStatement;
}

/** Whether an address is that of PgBouncer in transaction mode; `pgbouncer=true` is Prisma's name for it. */
export function isPooled(address: string): boolean {
  return /[?&]pgbouncer=true(&|$)/.test(address);
}

/**
 * How to use the connections of an address. Behind PgBouncer each transaction may be on another connection of
 * the server, so nothing is prepared there, and limits are set in each transaction. The limits of single
 * statements are then those of the role, and the one that this process has itself. The time zone of a client is
 * known to PgBouncer, which sets it wherever that client's transaction runs.
 */
export function sessionOf(address: string, limits: Limits): Session {
  if (isPooled(address)) {
    const settings = Object.entries({ ...limits, jit: 'off' });
    return {
      settings: {
        onConnect: async (client) => void (await client.query("SET TimeZone = 'UTC'")),
      },
      beginning: settings.map(([name, value]) => `; SET LOCAL ${name} = ${value}`).join(''),
      nameStatement: () => undefined,
    };
  }
  return {
    // Prisma writes and reads times as UTC without saying so. No statement runs long enough to be worth
    // compiling, which Postgres may decide to do when it overestimates one.
    settings: { ...limits, options: '-c TimeZone=UTC -c jit=off' },
    beginning: '',
    nameStatement: statementName,
  };
}
