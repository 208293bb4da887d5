import type { Readable } from 'node:stream';
import {
  DELIVERY_STREAM_EXAMPLE,
  DeliveryStream,
  DeliveryStreamHeaders,
  DeliveryStreamQuery,
} from '@atrium/contracts/webhooks/delivery-stream';
import { errorResponses } from '@atrium/contracts/errors';
import { type Authenticator, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import {
  EVENT_STREAMS_RATE,
  sendEventStream,
  streamReaderOf,
} from '@atrium/service-kit/event-streams';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { DeliveryStreams } from './delivery-streams.ts';

const OPEN_RULE = { name: 'webhooks-stream', ...EVENT_STREAMS_RATE };

export interface LiveRoutesDeps {
  streams: DeliveryStreams;
  authenticator: Authenticator;
}

export async function liveRoutes(server: Server, deps: LiveRoutesDeps): Promise<void> {
  const { streams, authenticator } = deps;
  requireAccessToken(server, authenticator);
  // Before the server waits for its requests to end.
  server.addHook('preClose', () => streams[Symbol.asyncDispose]());

  server.get(
    '/api/deliveries/stream',
    {
      config: { rateLimit: OPEN_RULE },
      // A HEAD request would open a stream that no disconnect closes.
      exposeHeadRoute: false,
      preHandler: requireVerifiedEmail,
      schema: {
        tags: ['Deliveries'],
        operationId: 'streamDeliveries',
        summary: 'Follow the state of your deliveries as server-sent events',
        description:
          'The stream ends when the access token expires or its session is revoked: continue with ' +
          'a new token and the last id in Last-Event-ID. Changes of the last five minutes are ' +
          'kept; what cannot be resumed begins with `reset`. It needs a verified email address.',
        querystring: DeliveryStreamQuery,
        headers: DeliveryStreamHeaders,
        response: {
          200: {
            content: {
              'text/event-stream': {
                schema: Type.Unsafe<Readable>(DeliveryStream),
                example: DELIVERY_STREAM_EXAMPLE,
              },
            },
          },
          ...errorResponses(401, 422, 'email-not-verified'),
        },
      },
    },
    async (request, reply) => {
      const { 'last-event-id': lastEventId } = request.headers;
      const body = await streams.open(streamReaderOf(request), request.query, lastEventId);
      return sendEventStream(reply, body);
    },
  );
}
