import Type, { type Static } from 'typebox';

/**
 * How auth tells every service which sessions have ended: a Redis stream at this key. Each entry
 * has one field, `REVOCATIONS_FIELD`, with a batch as JSON.
 */
export const revocationsKey = (queuePrefix: string) => `${queuePrefix}:revoked-sessions`;
export const REVOCATIONS_FIELD = 'sessions';

/**
 * Names the filling of the stream. It exists once auth has written all that must be known, and
 * changes when everything has to be read again, as after Redis lost its data.
 */
export const revocationsEpochKey = (queuePrefix: string) => `${queuePrefix}:revoked-sessions-epoch`;

/**
 * Exists while an auth process keeps the stream filled. It expires by itself when none can, as in a
 * Redis that answers but takes no writes.
 */
export const revocationsBeatKey = (queuePrefix: string) => `${queuePrefix}:revoked-sessions-beat`;

/** Session ids, each with the Unix time in milliseconds from which it need not be known any more. */
export const RevocationBatch = Type.Array(Type.Tuple([Type.String(), Type.Integer()]));
export type RevocationBatch = Static<typeof RevocationBatch>;

/** Where auth tells the same to a service that cannot learn it from Redis. */
export const ENDED_SESSIONS_PATH = '/internal/ended-sessions';

/** As `RevocationBatch`, with a digest in the place of each id: anybody may read it. */
export const EndedSessions = Type.Object({ sessions: RevocationBatch });
