import type { Page } from '@atrium/client';

/**
 * The rows of several answers, each once: a row that moves while the answers come, such as a note that is
 * renamed or moved, is in two of them. The later answer is newer.
 */
export function rowsOf<Row>(pages: readonly Pick<Page<Row>, 'data'>[]): Row[] {
  const rows = pages.flatMap(({ data }) => data);
  const places = new Map(rows.map((row, index) => [keyOf(row), index]));
  return rows.filter((row, index) => places.get(keyOf(row)) === index);
}

/** Some rows have no id, and do not move. */
function keyOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'id' in row ? row.id : row;
}
