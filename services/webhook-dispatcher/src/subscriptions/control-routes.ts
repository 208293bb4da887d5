import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import {
  PREVIOUS_SECRET_HOURS,
  RESTORE_MINUTES,
  RotatedSecret,
  RotateSecretBody,
  Subscription,
} from '@atrium/contracts/webhooks/webhooks';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { Idempotency } from '../database.ts';
import { ownerOf } from './owner.ts';
import { newSecret } from './secrets.ts';
import type { SubscriptionStore } from './store.ts';

/** Each rotation invalidates the secret before the previous one. */
const ROTATE_RULE = { name: 'webhooks-rotate', limit: 30, windowSeconds: 60 };

export interface ControlRoutesDeps {
  subscriptions: SubscriptionStore;
  idempotency: Idempotency;
  authenticator: Authenticator;
  /** Deliveries of these subscriptions may be sent again. */
  wakeWorkers: (subscriptionIds: readonly string[]) => Promise<void>;
}

const tags = ['Webhooks'];

/** Pausing, resuming, restoring, and a new secret. */
export async function controlRoutes(server: Server, deps: ControlRoutesDeps): Promise<void> {
  const { subscriptions, idempotency, wakeWorkers } = deps;
  requireAccessToken(server, deps.authenticator);
  idempotency.acceptKeys(server);

  const setPaused = (action: 'pause' | 'resume', paused: boolean, summary: string) =>
    server.post(
      `/api/webhooks/:id/${action}`,
      {
        config: { portal: 'webhook' },
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
        const origin = { requestId: request.id };
        const result = await subscriptions.change(id, ownerOf(request), { paused }, origin);
        if (result.kind !== 'changed') throw notFound('Webhook');
        if (!paused) await wakeWorkers([id]);
        return result.subscription;
      },
    );
  setPaused('pause', true, 'Pause a subscription; its events are kept meanwhile');
  setPaused('resume', false, 'Resume a subscription, with the kept events first');

  server.post(
    '/api/webhooks/:id/restore',
    {
      config: { portal: 'webhook' },
      schema: {
        tags,
        operationId: 'restoreWebhook',
        summary: 'Take back a deletion, with its deliveries',
        description:
          `Within ${RESTORE_MINUTES} minutes. Events since the deletion are not delivered to it. A ` +
          'subscription that is not deleted stays as it is.',
        params: IdParams,
        response: { 200: Subscription, ...errorResponses(401, 404, 'plan-limit-webhooks') },
      },
    },
    async (request) => {
      const { id } = request.params;
      const origin = { requestId: request.id };
      const restored = await subscriptions.restore(id, accountOf(request), origin);
      if (restored === undefined) throw notFound('Webhook');
      await wakeWorkers([id]);
      return restored;
    },
  );

  server.post(
    '/api/webhooks/:id/rotate-secret',
    {
      config: {
        isBodyOptional: true,
        isIdempotent: true,
        rateLimit: ROTATE_RULE,
        portal: 'webhook',
      },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the signing secret; the response shows the new one once',
        description:
          `For ${PREVIOUS_SECRET_HOURS} hours webhook-signature carries a signature with each of ` +
          'the two secrets. Service-Signature is made with the new one, or with the old one until ' +
          'serviceSignatureUsesPreviousUntil. Another rotation ends the old secret at once. An ed25519 key pair is replaced with the secret.',
        params: IdParams,
        body: RotateSecretBody,
        response: { 200: RotatedSecret, ...errorResponses(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request).id;
      const secret = newSecret();
      const { id } = request.params;
      const { serviceSignatureUsesPreviousUntil, signature } = request.body;
      const serviceSignatureSwitchAt = readTime(serviceSignatureUsesPreviousUntil);
      return idempotency.create(request, reply, async (tx) => {
        const rotation = { secret, serviceSignatureSwitchAt, signature };
        const result = await subscriptions.rotateSecret(tx, id, accountId, rotation);
        if (result.kind === 'missing') throw notFound('Webhook');
        if (result.kind === 'badSwitchTime') throw badSwitchTime();
        const previousSecretValidUntil = result.previousSecretUntil.toISOString();
        const headers = { 'cache-control': 'no-store' };
        const { publicKey } = result;
        return { status: 200, headers, body: { secret, publicKey, previousSecretValidUntil } };
      });
    },
  );
}

function readTime(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  // Also what Date cannot parse, such as a leap second, or Postgres cannot, such as the year 0.
  if (!(time.getTime() > 0)) throw badSwitchTime();
  return time;
}

const badSwitchTime = () =>
  validationError(
    `Service signature uses previous until must be within the next ${PREVIOUS_SECRET_HOURS} hours`,
  );
