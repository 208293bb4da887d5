import { type Collection, eraseInBatches, pagesById } from '@atrium/service-kit/account-data';
import { forgetActor } from '../activity/retention.ts';
import { ATTACHMENT_FIELDS } from '../attachments/store.ts';
import type { Database } from '../database.ts';
import type { FileStorage } from '../files/storage.ts';
import { eraseImportsOf } from '../import/purge.ts';
import { transferWorkspace } from '../members/transfer.ts';
import { forgetAuthor } from '../versions/retention.ts';
import { eraseWorkspace } from '../workspaces/erasure.ts';
import { deleteWorkspacesOf } from '../workspaces/store.ts';

/** A note, or a version of it, may have half a megabyte. */
const NOTES_PER_PAGE = 10;
const WORKSPACES_PER_PAGE = 200;
const ATTACHMENTS_PER_PAGE = 200;
const ACTIVITIES_PER_PAGE = 200;
const FAVOURITES_PER_PAGE = 200;
const ORIGIN = { job: 'account.deleted' };

/** Fields of the share of a note, without any that opens it. */
const SHARE_FIELDS = {
  sharedAt: true,
  expiresAt: true,
  maxViews: true,
  views: true,
  allowIndexing: true,
} as const;

/** The longest-standing editor of each workspace of the account. */
const FIND_NEW_OWNERS = `
  SELECT DISTINCT ON (w.id) w.id AS "workspaceId", m.account_id AS "newOwner"
  FROM workspaces w JOIN members m ON m.workspace_id = w.id AND m.role = 'editor'
  WHERE w.owner_id = $1 AND w.id > $3 ORDER BY w.id, m.joined_at, m.account_id LIMIT $2`;

/** Ignores the limits of the new owner's plan: what others wrote there is not to be lost. */
async function passOnWorkspaces(database: Database, from: string): Promise<void> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const rows: { workspaceId: string; newOwner: string }[] = await database.query(
      FIND_NEW_OWNERS,
      [from, WORKSPACES_PER_PAGE, after],
    );
    for (const { workspaceId, newOwner } of rows) {
      await transferWorkspace(database, { workspaceId, from, to: newOwner, origin: ORIGIN }, false);
    }
    after = rows.at(-1)?.workspaceId;
  }
}

/** Raw: Prisma has no limit for deletions. Each has the text of a note. */
const ERASE_RESPONSES = `
  DELETE FROM idempotency_keys WHERE account_id = $1 AND key = ANY (ARRAY(
    SELECT key FROM idempotency_keys WHERE account_id = $1 LIMIT $2
  )) RETURNING key`;

/**
 * Removes every row and every file of an account; workspaces with an editor pass to that one. Safe to run
 * again after an interruption: a job erases workspaces that are deleted.
 */
export async function eraseAccount(
  { database, storage }: { database: Database; storage: FileStorage },
  accountId: string,
): Promise<void> {
  const { prisma } = database;
  const leaveWorkspaces = () =>
    prisma.member.deleteMany({ where: { accountId, role: { not: 'owner' } } });
  // First, so that it inherits nothing from another account that is erased at the same time.
  await leaveWorkspaces();
  await passOnWorkspaces(database, accountId);
  // It stayed as an editor.
  await leaveWorkspaces();
  await prisma.favourite.deleteMany({ where: { accountId } });
  await forgetAuthor(database, accountId);
  await forgetActor(database, accountId);
  for (const id of await deleteWorkspacesOf(database, accountId)) {
    await eraseWorkspace({ database, storage }, id);
  }
  // Cascades to a workspace that a request under way has created since.
  await prisma.owner.deleteMany({ where: { accountId } });
  await eraseInBatches(database, ERASE_RESPONSES, [accountId]);
  await eraseImportsOf(database, storage, accountId);
}

/** Every workspace, note and attachment of the account, for its export. */
export function accountCollections(database: Database, accountId: string): Collection[] {
  const { prisma } = database;
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
    ['memberships', membershipsOf(database, accountId)],
    ['notes', notesOf(database, workspaces())],
    ['versions', versionsOf(database, accountId)],
    ['activity', activityOf(database, accountId)],
    ['favourites', favouritesOf(database, accountId)],
    ['attachments', attachmentsOf(database, accountId)],
  ];
}

async function* membershipsOf(
  { prisma }: Database,
  accountId: string,
): AsyncGenerator<readonly object[]> {
  let after = '';
  for (;;) {
    const rows = await prisma.member.findMany({
      where: { accountId, workspaceId: { gt: after } },
      orderBy: { workspaceId: 'asc' },
      take: WORKSPACES_PER_PAGE,
      select: { workspaceId: true, role: true, joinedAt: true },
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.workspaceId;
  }
}

/** What the account wrote, in its own workspaces and in those of others. */
function versionsOf({ prisma }: Database, authorId: string) {
  return pagesById(NOTES_PER_PAGE, ({ where, ...rest }) =>
    prisma.version.findMany({ ...rest, where: { ...where, authorId }, omit: { authorId: true } }),
  );
}

function activityOf({ prisma }: Database, actorId: string) {
  return pagesById(ACTIVITIES_PER_PAGE, ({ where, ...rest }) =>
    prisma.activity.findMany({ ...rest, where: { ...where, actorId }, omit: { actorId: true } }),
  );
}

async function* favouritesOf(
  { prisma }: Database,
  accountId: string,
): AsyncGenerator<readonly object[]> {
  let after = '';
  for (;;) {
    const rows = await prisma.favourite.findMany({
      where: { accountId, noteId: { gt: after } },
      orderBy: { noteId: 'asc' },
      take: FAVOURITES_PER_PAGE,
      select: { noteId: true, createdAt: true },
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.noteId;
  }
}

/** Attachments without their content, which the export of a workspace has. */
function attachmentsOf({ prisma }: Database, ownerId: string) {
  return pagesById(ATTACHMENTS_PER_PAGE, ({ where, ...rest }) =>
    prisma.attachment.findMany({
      ...rest,
      where: {
        ...where,
        workspaces: { some: { workspace: { ownerId } } },
        storedAt: { not: null },
      },
      select: {
        ...ATTACHMENT_FIELDS,
        workspaces: { where: { workspace: { ownerId } }, select: { workspaceId: true } },
      },
    }),
  );
}

/**
 * Raw: both parts follow the index on (workspace_id, pinned, id). In one pass, or a note that is pinned meanwhile
 * would be exported twice or not at all.
 */
const NEXT_NOTES = `
  (SELECT id FROM notes WHERE workspace_id = $1 AND NOT pinned AND id > $2 ORDER BY id LIMIT $3)
  UNION ALL
  (SELECT id FROM notes WHERE workspace_id = $1 AND pinned AND id > $2 ORDER BY id LIMIT $3)
  ORDER BY id LIMIT $3`;

async function* notesOf(
  database: Database,
  workspaces: AsyncIterable<readonly { id: string }[]>,
): AsyncGenerator<readonly object[]> {
  for await (const page of workspaces) {
    for (const { id: workspaceId } of page) {
      for (let after: string | undefined = ''; after !== undefined;) {
        const values: unknown[] = [workspaceId, after, NOTES_PER_PAGE];
        const rows: { id: string }[] = await database.query(NEXT_NOTES, values);
        const ids = rows.map(({ id }) => id);
        yield await database.prisma.note.findMany({
          where: { id: { in: ids }, workspaceId },
          orderBy: { id: 'asc' },
          include: { share: { select: SHARE_FIELDS } },
        });
        after = ids.at(-1);
      }
    }
  }
}
