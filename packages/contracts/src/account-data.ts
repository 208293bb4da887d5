import Type from 'typebox';
import { Timestamp } from './timestamps.ts';

/** How long a finished export can be downloaded. */
export const EXPORT_TTL_SECONDS = 604_800;

/** The answer to a request to delete the account. */
export const DeletionScheduled = Type.Object({
  message: Type.String(),
  /** Everything is erased then; until then the owner can log in and cancel. */
  erasesAt: Timestamp,
});

/** Whether the account is about to be erased. */
export const DeletionState = Type.Object({
  erasesAt: Type.Union([Timestamp, Type.Null()]),
});
