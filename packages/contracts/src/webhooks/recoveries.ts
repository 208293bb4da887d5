import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdParams, IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';

export const RecoverBody = component(
  'RecoverBody',
  Type.Object(
    {
      since: Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Exhausted deliveries created at this time or later are sent again',
      }),
    },
    { additionalProperties: false },
  ),
  { since: EXAMPLE_TIMESTAMP },
);

/** A recovery sends exhausted deliveries again, in small steps: `recovered` grows until it is done. */
export const Recovery = component(
  'Recovery',
  Type.Object({
    id: IdSchema('rcv'),
    since: Timestamp,
    recovered: Type.Integer({ description: 'Deliveries made due again so far' }),
    createdAt: Timestamp,
    completedAt: NullableTimestamp,
  }),
  {
    id: exampleId('rcv'),
    since: EXAMPLE_TIMESTAMP,
    recovered: 1200,
    createdAt: '2026-02-01T08:00:00.000Z',
    completedAt: null,
  },
);
export type Recovery = Static<typeof Recovery>;

export const RecoveryParams = Type.Object({
  ...IdParams.properties,
  recoveryId: IdParams.properties.id,
});
