import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import {
  PREVIOUS_SECRET_HOURS,
  RotatedSecret,
  RotateSecretBody,
  Subscription,
} from '@atrium/contracts/webhooks';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/openapi';
import type { Server } from '@atrium/service-kit/server';
import { newSecret } from './secrets.ts';
import type { SubscriptionStore } from './store.ts';

/** Each rotation invalidates the secret before the previous one. */
const ROTATE_RULE = { name: 'webhooks-rotate', limit: 30, windowSeconds: 60 };

export interface ControlRoutesDeps {
  subscriptions: SubscriptionStore;
  authenticator: Authenticator;
  /** Deliveries of these subscriptions may be sent again. */
  wakeWorkers: (subscriptionIds: readonly string[]) => Promise<void>;
  clockMs: () => number;
}

const tags = ['Webhooks'];

/** Pausing, resuming, and a new secret. */
export async function controlRoutes(server: Server, deps: ControlRoutesDeps): Promise<void> {
  const { subscriptions, wakeWorkers, clockMs } = deps;
  requireAccessToken(server, deps.authenticator);

  const setPaused = (action: 'pause' | 'resume', paused: boolean, summary: string) =>
    server.post(
      `/api/webhooks/:id/${action}`,
      {
        schema: {
          tags,
          operationId: `${action}Webhook`,
          summary,
          params: IdParams,
          response: { 200: Subscription, ...errorResponses(401, 404) },
        },
      },
      async (request) => {
        const { id } = request.params;
        const result = await subscriptions.change(id, accountOf(request).id, { paused });
        if (result.kind !== 'changed') throw notFound('Webhook');
        if (!paused) await wakeWorkers([id]);
        return result.subscription;
      },
    );
  setPaused('pause', true, 'Pause a subscription; its events are kept meanwhile');
  setPaused('resume', false, 'Resume a subscription, with the kept events first');

  server.post(
    '/api/webhooks/:id/rotate-secret',
    {
      config: { isBodyOptional: true, rateLimit: ROTATE_RULE },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the signing secret; the response shows the new one once',
        description:
          `For ${PREVIOUS_SECRET_HOURS} hours webhook-signature carries a signature with each of ` +
          'the two secrets. Service-Signature is made with the new one, or with the old one until ' +
          'serviceSignatureUsesPreviousUntil.',
        params: IdParams,
        body: RotateSecretBody,
        response: { 200: RotatedSecret, ...errorResponses(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request).id;
      const nowMs = clockMs();
      const previousSecretUntil = new Date(nowMs + PREVIOUS_SECRET_HOURS * 3_600_000);
      const secret = newSecret();
      const isRotated = await subscriptions.rotateSecret(request.params.id, accountId, {
        secret,
        previousSecretUntil,
        serviceSignatureSwitchAt: switchTime(
          request.body.serviceSignatureUsesPreviousUntil,
          nowMs,
          previousSecretUntil,
        ),
      });
      if (!isRotated) throw notFound('Webhook');
      reply.header('cache-control', 'no-store');
      return { secret, previousSecretValidUntil: previousSecretUntil.toISOString() };
    },
  );
}

function switchTime(text: string | undefined, nowMs: number, latest: Date): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  // A time that Date cannot parse, such as a leap second, is not in the range either.
  if (!(time.getTime() > nowMs && time <= latest)) {
    throw validationError(
      `Service signature uses previous until must be within the next ${PREVIOUS_SECRET_HOURS} hours`,
    );
  }
  return time;
}
