import { type Collection, eraseInBatches, pagesById } from '@atrium/events/account-data';
import type { Database } from '@atrium/service-kit/database';
import type { PrismaClient } from '../generated/client.ts';
import { eraseOrphans } from '../search-index/orphans.ts';

/** A note may have half a megabyte. */
const NOTES_PER_PAGE = 10;
const NOTES_ERASED_PER_BATCH = 50;
const WORKSPACES_PER_PAGE = 200;

/** Raw: locks the workspaces before their notes, the lock order of every other writer. */
const ERASE_NOTES = `
  WITH locked AS MATERIALIZED (
    SELECT id FROM workspaces WHERE owner_id = $1 ORDER BY id FOR UPDATE
  ), chosen AS (
    SELECT notes.id FROM notes JOIN locked ON locked.id = notes.workspace_id LIMIT $2
  )
  DELETE FROM notes USING chosen WHERE notes.id = chosen.id RETURNING notes.id`;

/** Removes every row of an account. Safe to run again after an interruption. */
export async function eraseAccount(
  database: Database,
  prisma: PrismaClient,
  accountId: string,
): Promise<void> {
  await eraseInBatches(database, ERASE_NOTES, [accountId], NOTES_ERASED_PER_BATCH);
  // Cascades to the workspaces, and to notes created since the last batch.
  await prisma.owner.deleteMany({ where: { accountId } });
  await prisma.idempotencyKey.deleteMany({ where: { accountId } });
  await eraseOrphans(database);
}

/** Every workspace and note of the account, for its export. */
export function accountCollections(prisma: PrismaClient, accountId: string): Collection[] {
  const workspaces = () =>
    pagesById(WORKSPACES_PER_PAGE, (page) =>
      prisma.workspace.findMany({
        ...page,
        where: { ...page.where, ownerId: accountId },
        omit: { ownerId: true },
      }),
    );
  return [
    ['workspaces', workspaces()],
    ['notes', notesOf(prisma, workspaces())],
  ];
}

async function* notesOf(
  prisma: PrismaClient,
  workspaces: AsyncIterable<readonly { id: string }[]>,
): AsyncGenerator<readonly object[]> {
  for await (const page of workspaces) {
    for (const { id: workspaceId } of page) {
      // One pass each: both follow the index on (workspace_id, pinned, id).
      for (const pinned of [false, true]) {
        yield* pagesById(NOTES_PER_PAGE, ({ where, ...rest }) =>
          prisma.note.findMany({
            ...rest,
            where: { ...where, workspaceId, pinned },
            omit: { shareToken: true },
          }),
        );
      }
    }
  }
}
