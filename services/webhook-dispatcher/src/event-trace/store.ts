import type { EventDataByName, EventName } from '@atrium/contracts/events';
import { EventCause, type EventTrace } from '@atrium/contracts/webhooks/event-trace';
import type { Sql } from '@atrium/service-kit/database';
import { parseTraceparent } from '@atrium/contracts/traceparent';
import { Compile } from 'typebox/compile';
import type { Database } from '../database.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  COLUMNS,
  type DeliveryRow,
  OWNED,
  toAttempt,
  toDelivery,
} from '../delivery-history/delivery-row.ts';

/** An event has a delivery for each subscription of its account, so this is never reached. */
const DELIVERIES_PER_EVENT = 500;
const ATTEMPTS_PER_DELIVERY = 10;
const eventCause = Compile(EventCause);

// Raw, as all of a snapshot.
const FIND_EVENT = `
  SELECT event, body, request_id AS "requestId", traceparent, is_test AS "isTest", ARRAY (
    SELECT id FROM subscriptions
    WHERE id = ANY(unmatched_subscription_ids) AND account_id = $2 AND deleted_at IS NULL
    ORDER BY id) AS unmatched, ARRAY (
    SELECT s.id FROM held_deliveries h JOIN subscriptions s ON s.id = h.subscription_id
    WHERE h.event_id = $1 AND s.account_id = $2 AND s.deleted_at IS NULL
    ORDER BY s.id) AS held
  FROM events WHERE id = $1 AND account_id = $2`;

interface EventRow {
  event: string;
  body: string;
  requestId: string | null;
  traceparent: string | null;
  isTest: boolean;
  unmatched: string[];
  held: string[];
}

const FIND_BY_EVENT = `
  SELECT ${COLUMNS} ${OWNED} WHERE d.event_id = $1 ORDER BY d.id LIMIT ${DELIVERIES_PER_EVENT}`;

// Raw: the newest of each. Prisma would read all of them.
const NEWEST_ATTEMPTS = `
  SELECT a.delivery_id AS "deliveryId", ${ATTEMPT_COLUMNS}
  FROM unnest($1::text[]) AS d (id) CROSS JOIN LATERAL (
    SELECT * FROM attempts WHERE delivery_id = d.id
    ORDER BY number DESC LIMIT ${ATTEMPTS_PER_DELIVERY}
  ) a ORDER BY a.number`;

/** Undefined when the account has no such event. */
export type FindEventTrace = (id: string, accountId: string) => Promise<EventTrace | undefined>;

async function listDeliveries(tx: Sql, eventId: string, accountId: string) {
  const rows = await tx.query<DeliveryRow>(FIND_BY_EVENT, [eventId, accountId]);
  const attempts = await tx.query<AttemptRow & { deliveryId: string }>(NEWEST_ATTEMPTS, [
    rows.map(({ id }) => id),
  ]);
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return rows.map((row) => ({
    ...toDelivery(row),
    attempts: (byDelivery.get(row.id) ?? []).map(toAttempt),
  }));
}

/** @param traceUrlTemplate a URL with `{traceId}`, where traces are shown */
export function createEventTraces(
  database: Pick<Database, 'snapshot'>,
  traceUrlTemplate?: string,
): FindEventTrace {
  return (id, accountId) =>
    // The state of a delivery and its attempts are of the same moment.
    database.snapshot(async (tx) => {
      const [row] = await tx.query<EventRow>(FIND_EVENT, [id, accountId]);
      if (row === undefined) return undefined;
      const { event, isTest, requestId, unmatched, held } = row;
      const trace = parseTraceparent(row.traceparent);
      const deliveries = await listDeliveries(tx, id, accountId);
      // A trace that is not sampled records only the attempts that failed.
      const isRecorded =
        trace?.isSampled === true ||
        deliveries.some(({ attempts }) => attempts.some(({ error }) => error !== null));
      const { createdAt, occurredAt, data } = JSON.parse(row.body);
      const cause = isTest
        ? { kind: 'test', occurredAt: createdAt }
        : isOwn(event)
          ? causes[event](data)
          : null;
      return {
        id,
        event,
        createdAt,
        occurredAt,
        requestId,
        traceId: trace?.traceId ?? null,
        traceUrl:
          trace !== undefined && isRecorded
            ? (traceUrlTemplate?.replaceAll('{traceId}', trace.traceId) ?? null)
            : null,
        // Ingestion does not check what data holds.
        cause: eventCause.Check(cause) ? cause : null,
        data,
        deliveries,
        held,
        unmatched,
      };
    });
}

const isOwn = (event: string): event is EventName => Object.hasOwn(causes, event);

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
