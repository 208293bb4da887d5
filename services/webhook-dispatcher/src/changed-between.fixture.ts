import type { Database, Sql } from '@atrium/service-kit/database';

/** The same database, in which something changes before each statement of a snapshot but the first. */
export function changedBetween(
  database: Pick<Database, 'snapshot'>,
  change: () => Promise<unknown>,
): Pick<Database, 'snapshot'> {
  return {
    snapshot: (read) =>
      database.snapshot((tx) => {
        let isFirst = true;
        const query: Sql['query'] = async (text, values) => {
          if (!isFirst) await change();
          isFirst = false;
          return tx.query(text, values);
        };
        return read({ query });
      }),
  };
}
