import type { EventDataByName, EventName } from '@atrium/contracts/events';
import { EventCause, type EventTrace } from '@atrium/contracts/event-trace';
import type { Sql } from '@atrium/service-kit/database';
import { Compile } from 'typebox/compile';
import {
  type AttemptRow,
  COLUMNS,
  type DeliveryRow,
  OWNED,
  toAttempt,
  toDelivery,
} from '../delivery-history/delivery-row.ts';
import type { PrismaClient } from '../generated/client.ts';

/** An event has a delivery for each subscription of its account, so this is never reached. */
const DELIVERIES_PER_EVENT = 500;
const ATTEMPTS_PER_DELIVERY = 10;
const eventCause = Compile(EventCause);

const FIND_BY_EVENT = `
  SELECT ${COLUMNS} ${OWNED} WHERE d.event_id = $1 ORDER BY d.id LIMIT ${DELIVERIES_PER_EVENT}`;

// Raw: the newest of each. Prisma would read all of them.
const NEWEST_ATTEMPTS = `
  SELECT a.id, a.delivery_id AS "deliveryId", a.number, a.started_at AS "startedAt",
    a.duration_ms AS "durationMs", a.status, a.error, a.response_excerpt AS "responseExcerpt"
  FROM unnest($1::text[]) AS d (id) CROSS JOIN LATERAL (
    SELECT * FROM attempts WHERE delivery_id = d.id
    ORDER BY number DESC LIMIT ${ATTEMPTS_PER_DELIVERY}
  ) a ORDER BY a.number`;

/** Undefined when the account has no such event. */
export type FindEventTrace = (id: string, accountId: string) => Promise<EventTrace | undefined>;

export function createEventTraces(database: Sql, prisma: PrismaClient): FindEventTrace {
  async function listDeliveries(eventId: string, accountId: string) {
    const rows = await database.query<DeliveryRow>(FIND_BY_EVENT, [eventId, accountId]);
    const attempts = await database.query<AttemptRow & { deliveryId: string }>(NEWEST_ATTEMPTS, [
      rows.map(({ id }) => id),
    ]);
    const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    return rows.map((row) => ({
      ...toDelivery(row),
      attempts: (byDelivery.get(row.id) ?? []).map(toAttempt),
    }));
  }

  return async (id, accountId) => {
    // Held ones first: an event that is admitted meanwhile is found among the others.
    const held = await prisma.heldEvent.findFirst({ where: { eventId: id, accountId } });
    const row = held ?? (await prisma.event.findFirst({ where: { id, accountId } }));
    if (row === null) return undefined;
    const isTest = 'isTest' in row && row.isTest;
    const event = row.event as EventName;
    const { createdAt, data } = JSON.parse(row.body);
    const cause = isTest ? { kind: 'test', occurredAt: createdAt } : causes[event](data);
    return {
      id,
      event,
      createdAt,
      requestId: row.requestId,
      // Ingestion does not check what data holds.
      cause: eventCause.Check(cause) ? cause : null,
      data,
      deliveries: await listDeliveries(id, accountId),
    };
  };
}

const causes: { [Name in EventName]: (data: EventDataByName[Name]) => EventCause } = {
  'go.click': ({ linkId, clickedAt }) => ({ kind: 'click', linkId, occurredAt: clickedAt }),
  'note.created': ({ noteId, createdAt }) => ({ kind: 'note', noteId, occurredAt: createdAt }),
  'note.updated': ({ noteId, updatedAt }) => ({ kind: 'note', noteId, occurredAt: updatedAt }),
  'note.deleted': ({ noteId, deletedAt }) => ({ kind: 'note', noteId, occurredAt: deletedAt }),
  'note.shared': ({ noteId, sharedAt }) => ({ kind: 'share', noteId, occurredAt: sharedAt }),
  'workspace.member_added': ({ workspaceId, joinedAt }) => ({
    kind: 'member',
    workspaceId,
    occurredAt: joinedAt,
  }),
  'auth.suspicious_login': ({ sessionId, loggedInAt }) => ({
    kind: 'login',
    sessionId,
    occurredAt: loggedInAt,
  }),
};
