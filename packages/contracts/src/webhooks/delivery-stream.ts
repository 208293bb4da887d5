import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { DeliveryState } from './deliveries.ts';
import { EventTypeName } from '../events.ts';
import { AnyId } from '../ids.ts';

/** Which changes a stream of deliveries sends; all of the account's without a filter. */
export const DeliveryStreamQuery = Type.Object({
  webhookId: Type.Optional({ ...AnyId, description: 'Only of this subscription' }),
  state: Type.Optional(DeliveryState),
  event: Type.Optional(EventTypeName),
});
export type DeliveryStreamQuery = Static<typeof DeliveryStreamQuery>;

export const DeliveryStreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ maxLength: 40, description: 'Resume after this event of an earlier stream' }),
  ),
});

export const DELIVERY_STREAM_EXAMPLE = `event: delivery\ndata: {"id":"${exampleId('dlv')}","state":"failed",…}\n\nid: 1769851800000-0\n\n`;

/** A body of type text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const DeliveryStream = component(
  'DeliveryStream',
  Type.String({
    description:
      'Server-sent events. `ready`: from now on no change is missed; read lists now. `delivery`: a ' +
      'delivery as it is now, after a change. `reset`: changes were missed; read lists again.',
  }),
  DELIVERY_STREAM_EXAMPLE,
);
