import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { WebhookKeys } from '@atrium/contracts/webhooks/webhooks';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';

/** Shorter than the day for which deliveries are signed with the old key too. */
const MAX_AGE_SECONDS = 300;

// Raw: the times of a rotation are by the clock of Postgres.
const PUBLIC_KEYS = `
  SELECT public_key AS "publicKey",
    CASE WHEN previous_secret_until > now() THEN previous_public_key END AS "previousPublicKey"
  FROM subscriptions WHERE id = $1 AND deleted_at IS NULL`;

interface PublicKeys {
  publicKey: string | null;
  previousPublicKey: string | null;
}

/** Without a token, so that receivers can fetch their key: who knows an id sees a public key only. */
export async function publicKeyRoutes(
  server: Server,
  { database }: { database: Database },
): Promise<void> {
  server.get(
    '/.well-known/webhook-keys/:id',
    {
      schema: {
        tags: ['Webhooks'],
        operationId: 'getWebhookKeys',
        summary: 'Get the public keys that verify the deliveries of a subscription',
        description: 'Of those that sign with ed25519; 404 for all others.',
        params: IdParams,
        response: { 200: WebhookKeys, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const [found] = await database.query<PublicKeys>(PUBLIC_KEYS, [request.params.id]);
      const keys = [found?.publicKey, found?.previousPublicKey].filter(
        (key) => typeof key === 'string',
      );
      if (keys.length === 0) throw notFound('Public key');
      reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`);
      return { keys };
    },
  );
}
