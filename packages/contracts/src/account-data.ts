import Type, { type Static } from 'typebox';
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

/** The newest export of an account. */
export const ExportState = component(
  'ExportState',
  Type.Object({
    status: Type.Union(
      [
        Type.Literal('none'),
        Type.Literal('preparing'),
        Type.Literal('ready'),
        Type.Literal('failed'),
      ],
      { description: '`ready`: the link has been emailed; `failed`: request another one' },
    ),
    requestedAt: NullableTimestamp,
    expiresAt: {
      ...NullableTimestamp,
      description: 'Until then a finished export can be downloaded',
    },
    servicesReady: Type.Integer(),
    servicesTotal: Type.Integer(),
  }),
  {
    status: 'preparing',
    requestedAt: EXAMPLE_TIMESTAMP,
    expiresAt: null,
    servicesReady: 3,
    servicesTotal: 4,
  },
);
export type ExportState = Static<typeof ExportState>;

export const DeletionState = component(
  'DeletionState',
  Type.Object({ erasesAt: NullableTimestamp }),
  { erasesAt: EXAMPLE_TIMESTAMP },
);
