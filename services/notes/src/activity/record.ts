// Why it is so: docs/decisions/0032-activity-and-live-notes.md
import type { ActivityKind } from '@atrium/contracts/notes/activity';
import { idBound, newId } from '@atrium/contracts/ids';
import type { CollaboratorRole } from '@atrium/contracts/notes/members';
import type { Tx } from '../database.ts';
import { appendEventsOf } from './events.ts';

interface Details {
  workspaceId: string;
  /** The account that did it. */
  accountId: string;
  noteId?: string;
  /** The title of the note, or the name of the workspace, after the change. */
  title?: string;
  formerTitle?: string;
  /** The member that it is about. */
  memberId?: string;
  role?: CollaboratorRole;
}

/** What an account did in a workspace. */
export type NewActivity = Details &
  (
    | { kind: Extract<ActivityKind, `note.${string}`>; noteId: string; title: string }
    | { kind: Extract<ActivityKind, `workspace.${string}`> }
    | { kind: 'member.removed' }
    | { kind: 'member.invited' | 'member.joined' | 'member.role_changed'; role: CollaboratorRole }
  );

/** What one person changes of a note within this time is one entry. */
const JOINED_MS = 300_000;
const JOINED_INTO: Partial<Record<ActivityKind, ActivityKind[]>> = {
  'note.edited': ['note.created', 'note.edited'],
  'note.renamed': ['note.created', 'note.renamed'],
};

interface OwnedWorkspace {
  ownerId: string;
  /** When the change is made. */
  at: Date;
}

const FIND_OWNER = `
  SELECT owner_id AS "ownerId", now() AS at FROM workspaces
  WHERE id = $2 AND owner_id IS NOT NULL`;

/** Raw, as it is part of every write of a note. The note is locked, so that parallel changes are joined too. */
const RECORD = `
  WITH joined AS (
    UPDATE activities SET title = $6
    WHERE actor_id = $3 AND workspace_id = $2 AND id > $10 AND note_id = $5 AND kind = ANY ($11::text[])
    RETURNING id
  ), recorded AS (
    INSERT INTO activities
      (id, workspace_id, actor_id, kind, note_id, title, former_title, member_id, role)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 WHERE NOT EXISTS (SELECT FROM joined)
  )
  ${FIND_OWNER}`;

const RECORD_ALL = `
  WITH recorded AS (
    INSERT INTO activities (id, workspace_id, actor_id, kind, note_id, title)
    SELECT id, $2, $3, $4, note_id, title
    FROM unnest($1::text[], $5::text[], $6::text[]) AS new (id, note_id, title)
  )
  ${FIND_OWNER}`;

/**
 * Records a change in the transaction that makes it, with its event for the owner of the workspace, if it has
 * one.
 */
export async function recordActivity(tx: Tx, activity: NewActivity): Promise<void> {
  const { kind, workspaceId, accountId, noteId, title, formerTitle, memberId, role } = activity;
  const [workspace] = await tx.query<OwnedWorkspace>(RECORD, [
    newId('act'),
    workspaceId,
    accountId,
    kind,
    noteId ?? null,
    title ?? null,
    formerTitle ?? null,
    memberId ?? null,
    role ?? null,
    idBound('act', Date.now() - JOINED_MS),
    JOINED_INTO[kind] ?? [],
  ]);
  if (workspace !== undefined) await appendEventsOf(tx, [activity], workspace);
}

/** Records the same change of many notes, each with its event, in the transaction that makes it. */
export async function recordActivities(
  tx: Tx,
  change: { kind: 'note.deleted' | 'note.restored'; workspaceId: string; accountId: string },
  notes: readonly { noteId: string; title: string }[],
): Promise<void> {
  const { kind, workspaceId, accountId } = change;
  const [workspace] = await tx.query<OwnedWorkspace>(RECORD_ALL, [
    notes.map(() => newId('act')),
    workspaceId,
    accountId,
    kind,
    notes.map(({ noteId }) => noteId),
    notes.map(({ title }) => title),
  ]);
  if (workspace === undefined) return;
  const activities = notes.map(({ noteId, title }) => ({ ...change, noteId, title }));
  await appendEventsOf(tx, activities, workspace);
}
