import { newId } from '@atrium/contracts/ids';
import type { NoteUpdatedData } from '@atrium/contracts/events';
import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import type { NewEvent } from '@atrium/events/outbox';
import type { Tx } from '../database.ts';
import type { NewActivity } from './record.ts';

/**
 * Raw: one row for each note and minute, sent when the minute is over. Whoever changes the note meanwhile locks
 * the row, so that no relay sends it before that change has committed. It is for the request of the last change.
 */
const APPEND_UPDATED = `
  INSERT INTO outbox (id, event, account_id, data, request_id, traceparent, created_at, due_at)
  SELECT id, 'note.updated', $2, data::json, $4, $5, due.at, due.at
  FROM (SELECT date_trunc('minute', clock_timestamp()) + interval '1 minute' AS at) due
    CROSS JOIN unnest($1::text[], $3::text[]) AS new (id, data)
  ON CONFLICT ((data ->> 'noteId'), created_at) WHERE event = 'note.updated'
  DO UPDATE SET account_id = excluded.account_id, data = excluded.data, request_id = excluded.request_id,
    traceparent = excluded.traceparent
    WHERE outbox.leased_until IS NULL
  RETURNING data ->> 'noteId' AS "noteId",
    extract(epoch FROM due_at - clock_timestamp())::float8 * 1000 AS "dueInMs"`;

async function appendUpdated(
  tx: Tx,
  accountId: string,
  updated: readonly NoteUpdatedData[],
): Promise<void> {
  const traceparent = tx.traceparentFor(accountId) ?? null;
  const append = (some: readonly NoteUpdatedData[]) =>
    tx.query<{ noteId: string; dueInMs: number }>(APPEND_UPDATED, [
      some.map(() => newId('evt')),
      accountId,
      some.map((data) => JSON.stringify(data)),
      tx.requestId,
      traceparent,
    ]);
  const stored = await append(updated);
  if (stored.length < updated.length) {
    // A relay may have taken some rows at the very end of their minute; the next minute has its own.
    const noteIds = new Set(stored.map(({ noteId }) => noteId));
    stored.push(...(await append(updated.filter(({ noteId }) => !noteIds.has(noteId)))));
  }
  tx.wakeRelay(EVENTS_QUEUE, stored.at(-1)?.dueInMs);
}

/** Writes the events of changes, if there are any, to the outbox. They go to the owner of the workspace. */
export async function appendEventsOf(
  tx: Tx,
  activities: readonly NewActivity[],
  { ownerId: accountId, at }: { ownerId: string; at: Date },
): Promise<void> {
  const time = at.toISOString();
  const events: NewEvent[] = [];
  const updated: NoteUpdatedData[] = [];
  for (const activity of activities) {
    const { workspaceId, accountId: userId } = activity;
    switch (activity.kind) {
      case 'note.created': {
        const { noteId, title } = activity;
        const data = { noteId, workspaceId, title, userId, createdAt: time };
        events.push({ event: 'note.created', accountId, data });
        break;
      }
      case 'note.edited':
      case 'note.renamed':
      case 'note.restored':
      case 'note.version_restored': {
        const { noteId, title } = activity;
        updated.push({ noteId, workspaceId, title, userId, updatedAt: time });
        break;
      }
      case 'note.deleted': {
        const { noteId, title } = activity;
        const data = { noteId, workspaceId, title, userId, deletedAt: time };
        events.push({ event: 'note.deleted', accountId, data });
        break;
      }
      case 'member.joined': {
        const data = { workspaceId, userId, role: activity.role, joinedAt: time };
        events.push({ event: 'workspace.member_added', accountId, data });
        break;
      }
      default:
    }
  }
  await tx.appendFor(events.map((event) => ({ ...event, requestId: tx.requestId })));
  if (updated.length > 0) await appendUpdated(tx, accountId, updated);
}
