import type { Tx } from '../database.ts';

/** Raw: joins three tables. A share that has ended makes nothing public. */
const FIND_PUBLIC = `
  SELECT notes.id AS "noteId", notes.workspace_id AS "workspaceId", notes.title,
    workspaces.owner_id AS "ownerId", shares.token, shares.shared_at AS "sharedAt"
  FROM shares JOIN notes ON notes.id = shares.note_id JOIN workspaces ON workspaces.id = notes.workspace_id
  WHERE notes.id = ANY ($1) AND (shares.expires_at IS NULL OR shares.expires_at > now())
    AND (shares.max_views IS NULL OR shares.views < shares.max_views)`;

interface PublicNote {
  noteId: string;
  workspaceId: string;
  title: string;
  ownerId: string;
  token: string;
  sharedAt: Date;
}

/** Writes an event for the owner of the workspace of each note that has become public, if one has. */
export async function appendSharedEvents(
  tx: Tx,
  noteIds: readonly string[],
  sharedUrl: (token: string) => string,
): Promise<void> {
  const notes = await tx.query<PublicNote>(FIND_PUBLIC, [noteIds]);
  await tx.appendFor(
    notes.map(({ ownerId: accountId, token, sharedAt, ...note }) => ({
      event: 'note.shared',
      accountId,
      requestId: tx.requestId,
      data: { ...note, url: sharedUrl(token), sharedAt: sharedAt.toISOString() },
    })),
  );
}
