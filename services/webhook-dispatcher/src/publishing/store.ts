import type { Tx } from '../database.ts';

/** An event under the id that its publisher has given it. */
export interface IdentifiedEvent {
  namespace: string;
  /** The id that the publisher has given it. */
  id: string;
  /** SHA-256 of its content. */
  hash: Buffer;
  eventId: string;
}

// Raw: many rows in one statement, always in the same order, so that two requests with the same ids wait for one
// another and never deadlock.
const CLAIM = `
  INSERT INTO published_events (namespace, id, hash, event_id)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[]) AS new (namespace, id, hash, event_id)
  ORDER BY namespace, id
  ON CONFLICT DO NOTHING RETURNING event_id AS "eventId"`;

const FIND = `
  SELECT p.namespace, p.id, p.hash, p.event_id AS "eventId"
  FROM unnest($1::text[], $2::text[]) AS known (namespace, id) JOIN published_events p USING (namespace, id)`;

/**
 * Claims the ids that are not used yet.
 *
 * @returns the events that have each id, by `keyOf`
 */
export async function claimIds(
  tx: Tx,
  events: readonly IdentifiedEvent[],
): Promise<Map<string, IdentifiedEvent>> {
  if (events.length === 0) return new Map();
  const namespaces = events.map(({ namespace }) => namespace);
  const ids = events.map(({ id }) => id);
  const hashes = events.map(({ hash }) => hash);
  await tx.query(CLAIM, [namespaces, ids, hashes, events.map(({ eventId }) => eventId)]);
  const found = await tx.query<IdentifiedEvent>(FIND, [namespaces, ids]);
  return new Map(found.map((event) => [keyOf(event), event]));
}

export const keyOf = ({ namespace, id }: Pick<IdentifiedEvent, 'namespace' | 'id'>): string =>
  `${namespace} ${id}`;
