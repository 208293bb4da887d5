import Type, { type Static } from 'typebox';
import { component } from './component.ts';

/**
 * How auth tells every service which sessions have ended: a Redis stream at this key. Each entry
 * has one field, `REVOKED_SESSIONS_FIELD`, with a batch as JSON.
 */
export const revokedSessionsKey = (queuePrefix: string) => `${queuePrefix}:revoked-sessions`;
export const REVOKED_SESSIONS_FIELD = 'sessions';

/**
 * Names the filling of the stream. It exists once auth has written all that must be known, and
 * changes when everything has to be read again, as after Redis lost its data.
 */
export const revokedSessionsEpochKey = (queuePrefix: string) =>
  `${queuePrefix}:revoked-sessions-epoch`;

/**
 * Exists while an auth process keeps the stream filled. It expires by itself when none can, as in a
 * Redis that answers but takes no writes.
 */
export const revokedSessionsBeatKey = (queuePrefix: string) =>
  `${queuePrefix}:revoked-sessions-beat`;

/** Session ids, each with the Unix time in milliseconds from which it need not be known any more. */
export const RevokedSessionBatch = Type.Array(Type.Tuple([Type.String(), Type.Integer()]));
export type RevokedSessionBatch = Static<typeof RevokedSessionBatch>;

/** Where auth tells the same to a service that cannot learn it from Redis. */
export const REVOKED_SESSIONS_PATH = '/internal/revoked-sessions';

/** As `RevokedSessionBatch`, with a digest in the place of each id: anybody may read it. */
export const RevokedSessionList = component(
  'RevokedSessionList',
  Type.Object({ sessions: RevokedSessionBatch }),
  { sessions: [['x4Pz0yq1Jm8f3bT6wC9hLg', 1_769_852_700_000]] },
);
