import Type, { type Static } from 'typebox';
import { IdSchema } from './ids.ts';
import { Timestamp } from './timestamps.ts';

/** A place where somebody is logged in. */
export const Session = Type.Object({
  id: IdSchema('ses'),
  /** What the client says it is. */
  device: Type.Object({ browser: Type.String(), os: Type.String() }),
  /** The network of the last use, not the address: such as `203.0.113.0/24`. */
  network: Type.String(),
  createdAt: Timestamp,
  /** The last login or refresh. */
  lastSeenAt: Timestamp,
  expiresAt: Timestamp,
  /** Whether this request was made with it. */
  current: Type.Boolean(),
});
export type Session = Static<typeof Session>;
