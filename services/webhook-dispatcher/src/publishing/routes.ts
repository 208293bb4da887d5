import { errorResponses } from '@atrium/contracts/errors';
import {
  EventToPublish,
  PUBLISH_BODY_MAX_BYTES,
  PublishBody,
  Published,
  PUBLISHED_EVENTS_MAX,
  type PublishedEvent,
  type PublishResult,
} from '@atrium/contracts/webhooks/publishing';
import {
  accountOf,
  type Authenticator,
  requireVerifiedEmail,
} from '@atrium/service-kit/authentication';
import { HttpError, validationError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { addRateLimitHeaders } from '@atrium/service-kit/request-limits';
import type { Server } from '@atrium/service-kit/server';
import { createItemCheck, createValidatorCompiler } from '@atrium/service-kit/validation';
import Type from 'typebox';
import { type PublishDeps, publishEvents } from './publish.ts';

/** Events, or KiB if they are more: a product that floods the queue shall delay others for seconds at most. */
const PUBLISH_RULE = { name: 'events-publish', limit: 10_000, windowSeconds: 10 };

/** The same on the free plan, where nothing else bounds what an account stores until retention. */
export const FREE_PUBLISH_RULE = {
  name: 'events-publish-a-day',
  limit: 100_000,
  windowSeconds: 86_400,
};

/** What is checked before anything happens: each event of an array is checked by itself. */
const Publication = Type.Union([
  EventToPublish,
  Type.Array(Type.Unknown(), { minItems: 1, maxItems: PUBLISHED_EVENTS_MAX }),
]);

interface PublishingRoutesDeps extends PublishDeps {
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
}

/** How a product publishes events of its own. */
export async function publishingRoutes(
  server: Server,
  { authenticator, rateLimiter, ...deps }: PublishingRoutesDeps,
): Promise<void> {
  requireAccessToken(server, authenticator);
  const compile = createValidatorCompiler();
  const faultOf = createItemCheck(EventToPublish);

  server.post(
    '/api/events',
    {
      bodyLimit: PUBLISH_BODY_MAX_BYTES,
      config: { scope: 'events:publish', checksItems: true },
      validatorCompiler: (route) => compile({ ...route, schema: Publication }),
      preHandler: requireVerifiedEmail,
      schema: {
        tags: ['Events'],
        operationId: 'publishEvents',
        summary: 'Publish an event of your product, or up to 500 in an array',
        description:
          'Needs a registered event type. Once it is answered with 202, the event is stored. Of an array each event has ' +
          'a result of its own, and those that are refused hold up no others. An event with an `id` is published once; ' +
          'an `Idempotency-Key` is refused. A body has at most 2 MiB (otherwise 413) and, above 64 KiB, 20,000 values ' +
          '(otherwise 422).',
        body: PublishBody,
        response: {
          202: Published,
          ...errorResponses(
            401,
            413,
            422,
            'email-not-verified',
            'recipient-not-allowed',
            'recipient-unknown',
            'event-id-used',
            'event-type-unknown',
            'event-mismatch',
            'schema-unusable',
            'event-too-large',
          ),
        },
      },
    },
    async (request, reply) => {
      const account = accountOf(request);
      const { body, headers } = request;
      if (headers['idempotency-key'] !== undefined) {
        throw validationError('Idempotency-Key is not taken here: give the event an id instead');
      }
      const events = Array.isArray(body) ? body.map((event) => faultOf(event) ?? event) : [body];
      const count = Math.max(events.length, Math.ceil(request.bodyBytes / 1024));
      const state = await rateLimiter.consume(PUBLISH_RULE, account.id, count);
      addRateLimitHeaders(reply, PUBLISH_RULE, state);
      if (account.plan === 'free') await rateLimiter.consume(FREE_PUBLISH_RULE, account.id, count);
      const outcomes = await publishEvents(deps, { account, events, requestId: request.id });
      reply.code(202);
      if (Array.isArray(body)) return { data: outcomes.map(resultOf) };
      const [only] = outcomes;
      if (only === undefined || only instanceof Error) throw only;
      return only;
    },
  );
}

const resultOf = (outcome: PublishedEvent | HttpError): PublishResult =>
  outcome instanceof HttpError
    ? { ...outcome.body, status: outcome.status, code: outcome.code }
    : { ...outcome, status: 202 };
