import type { Sql } from '@atrium/service-kit/database';
import { attachSql, findFilesOf, NOTES_PER_PAGE } from './references.ts';

/** Raw: Prisma has no locks. */
const ATTACH = attachSql(
  '$3',
  `SELECT attachment_id FROM attachment_workspaces AS attached
  WHERE workspace_id = $1 AND attachment_id = ANY ($2)`,
);

/**
 * Attaches the files that some notes and their versions refer to, to another workspace, where they count too. They stay
 * where they were, until no note there has referred to them for a week.
 */
export async function attachFilesOf(
  tx: Sql,
  noteIds: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  const fileIds = new Set<string>();
  for (let at = 0; at < noteIds.length; at += NOTES_PER_PAGE) {
    const page = noteIds.slice(at, at + NOTES_PER_PAGE);
    for (const id of await findFilesOf(tx, from, page)) fileIds.add(id);
  }
  if (fileIds.size > 0) await tx.query(ATTACH, [from, [...fileIds], to]);
}
