import { newId } from '@atrium/contracts/ids';
import type { NoteUpdatedData } from '@atrium/contracts/events';
import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import type { Tx } from '../database.ts';
import type { NewActivity } from './record.ts';

/**
 * Raw: one row for each note and minute, sent when the minute is over. Whoever changes the note meanwhile locks
 * the row, so that no relay sends it before that change has committed. It is for the request of the last change.
 */
const APPEND_UPDATED = `
  INSERT INTO outbox (id, event, account_id, data, request_id, traceparent, created_at, due_at)
  SELECT $1, 'note.updated', $2, $3::json, $4, $5, due.at, due.at
  FROM (SELECT date_trunc('minute', clock_timestamp()) + interval '1 minute' AS at) due
  ON CONFLICT ((data ->> 'noteId'), due_at) WHERE event = 'note.updated'
  DO UPDATE SET account_id = excluded.account_id, data = excluded.data, request_id = excluded.request_id,
    traceparent = excluded.traceparent
    WHERE outbox.leased_until IS NULL
  RETURNING extract(epoch FROM due_at - clock_timestamp())::float8 * 1000 AS "dueInMs"`;

async function appendUpdated(tx: Tx, accountId: string, data: NoteUpdatedData): Promise<void> {
  const traceparent = tx.traceparentFor(accountId) ?? null;
  const values = [newId('evt'), accountId, JSON.stringify(data), tx.requestId, traceparent];
  const append = async () => (await tx.query<{ dueInMs: number }>(APPEND_UPDATED, values))[0];
  // A relay may have taken the row at the very end of its minute; the next minute has its own.
  const stored = (await append()) ?? (await append());
  tx.wakeRelay(EVENTS_QUEUE, stored?.dueInMs);
}

/** Writes the event of a change, if there is one, to the outbox. It goes to the owner of the workspace. */
export async function appendEventOf(
  tx: Tx,
  activity: NewActivity,
  { ownerId: accountId, at }: { ownerId: string; at: Date },
): Promise<void> {
  const { workspaceId, accountId: userId } = activity;
  const time = at.toISOString();
  switch (activity.kind) {
    case 'note.created': {
      const { noteId, title } = activity;
      const data = { noteId, workspaceId, title, userId, createdAt: time };
      await tx.append({ event: 'note.created', accountId, data });
      break;
    }
    case 'note.edited':
    case 'note.renamed':
    case 'note.restored':
    case 'note.version_restored': {
      const { noteId, title } = activity;
      await appendUpdated(tx, accountId, { noteId, workspaceId, title, userId, updatedAt: time });
      break;
    }
    case 'note.deleted': {
      const { noteId, title } = activity;
      const data = { noteId, workspaceId, title, userId, deletedAt: time };
      await tx.append({ event: 'note.deleted', accountId, data });
      break;
    }
    case 'member.joined': {
      const data = { workspaceId, userId, role: activity.role, joinedAt: time };
      await tx.append({ event: 'workspace.member_added', accountId, data });
      break;
    }
    default:
  }
}
