/** Runs SQL and answers rows. */
interface RowSource {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * The tables in which any row holds one of these texts in any column, also in tables that were added
 * after the test was written. The outbox is left out: what it holds is on its way elsewhere.
 */
export async function tablesMentioning(
  sql: RowSource,
  texts: readonly string[],
): Promise<string[]> {
  const tables = await sql.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename NOT IN ('outbox', '_prisma_migrations')
     ORDER BY tablename`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.query(
      `SELECT 1 FROM "${name}" AS it
       WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS wanted WHERE strpos(it::text, wanted) > 0)
       LIMIT 1`,
      [texts],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
