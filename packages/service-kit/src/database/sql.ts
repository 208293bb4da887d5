import type pg from 'pg';

/** Something that runs SQL: the pool, or one transaction. */
export interface Sql {
  /** Prepares each statement once per connection: planning costs more than running most of them. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** Every connection keeps its prepared statements, so further ones are not prepared. */
const PREPARED_MAX = 500;
const names = new Map<string, string>();

/** The name to prepare a statement by, if it is prepared. */
export type NameStatement = (text: string) => string | undefined;

export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= PREPARED_MAX) return undefined;
  const name = `statement-${names.size + 1}`;
  names.set(text, name);
  return name;
}

export async function runStatement<Row extends object>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  nameStatement: NameStatement = statementName,
): Promise<Row[]> {
  const name = nameStatement(text);
  const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
  return (await client.query<Row>(statement)).rows;
}
