import Type from 'typebox';
import { component } from './component.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from './timestamps.ts';

/** How long a finished export can be downloaded. */
export const EXPORT_TTL_SECONDS = 604_800;

/** The response to a request to delete the account. */
export const DeletionScheduled = component(
  'DeletionScheduled',
  Type.Object({
    message: Type.String(),
    /** Until then the owner can log in and restore the account. */
    erasesAt: Timestamp,
  }),
  { message: 'Your account will be erased', erasesAt: EXAMPLE_TIMESTAMP },
);

/** Its shape is each service's own. */
export const AccountExport = component(
  'AccountExport',
  Type.Unknown({
    description: 'An object per service, which holds a list per kind of thing',
  }),
  { notes: { workspaces: [{ name: 'Work' }] } },
);

export const DeletionState = component(
  'DeletionState',
  Type.Object({ erasesAt: NullableTimestamp }),
  { erasesAt: EXAMPLE_TIMESTAMP },
);
