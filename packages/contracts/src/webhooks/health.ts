import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** More waiting deliveries are not counted. */
export const WAITING_COUNTED_MAX = 1_000;

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** How the endpoint of a subscription does at the moment. */
export const WebhookHealth = component(
  'WebhookHealth',
  Type.Object({
    id: IdSchema('whk'),
    rest: Nullable(
      Type.Object(
        {
          failures: Type.Integer({ description: 'Failures in a row, counted by one worker' }),
          until: Timestamp,
        },
        {
          description:
            'While the endpoint is given a rest after failures nothing else is sent to it',
        },
      ),
    ),
    waiting: Type.Integer({
      maximum: WAITING_COUNTED_MAX,
      description: `Deliveries that are due or will be tried again; ${WAITING_COUNTED_MAX} stands for more`,
    }),
    lastAttempt: Nullable(
      Type.Object({
        status: Nullable(Type.Integer()),
        error: Nullable(Type.String()),
        at: Timestamp,
      }),
    ),
  }),
  {
    id: exampleId('whk'),
    rest: { failures: 20, until: EXAMPLE_TIMESTAMP },
    waiting: 253,
    lastAttempt: { status: 500, error: 'Endpoint returned 500', at: EXAMPLE_TIMESTAMP },
  },
);
export type WebhookHealth = Static<typeof WebhookHealth>;

export const WebhooksHealth = component(
  'WebhooksHealth',
  Type.Object({ data: Type.Array(WebhookHealth) }),
  { data: [] },
);
export type WebhooksHealth = Static<typeof WebhooksHealth>;
