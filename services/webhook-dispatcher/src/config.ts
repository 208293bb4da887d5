import { MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks/deliveries';
import { baseConfig, readReplicaConfig, tracingConfig, WebUrl } from '@atrium/service-kit/config';
import { KeyRingEntries } from '@atrium/service-kit/key-ring';
import Type, { type Static } from 'typebox';
import { Networks } from '@atrium/service-kit/address-guard';

const { DATABASE_URL, HOST, LOG_LEVEL, METRICS_PORT } = baseConfig;
const { QUEUE_PREFIX, REDIS_URL, RELAY_INTERVAL_MS } = baseConfig;
const RETRIES = MAX_DELIVERY_ATTEMPTS - 1;

/** Shared by both processes. */
const shared = {
  WEBHOOK_RETRY_DELAYS_MS: Type.Array(Type.Integer({ minimum: 0, maximum: 86_400_000 }), {
    minItems: RETRIES,
    maxItems: RETRIES,
    default: [30_000, 120_000, 600_000, 3_600_000],
    description: `${RETRIES} delays in milliseconds separated by commas`,
  }),
  SECRETS_KEYS: KeyRingEntries,
  WEBHOOK_ALLOW_HTTP: Type.Boolean({ default: false }),
  WEBHOOK_ALLOWED_NETWORKS: Networks,
};

/** main.ts: the HTTP side. */
export const WebhooksConfig = Type.Object({
  ...baseConfig,
  ...readReplicaConfig,
  ...shared,
  /** Where browsers reach the pages, for the links of portals. */
  WEB_URL: WebUrl,
  CRON_SECRET: Type.String({ minLength: 16 }),
  TRACE_URL_TEMPLATE: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]*\\{traceId\\}[^\\s]*$',
      description: 'an http:// or https:// URL with {traceId}',
    }),
  ),
});
export type WebhooksConfig = Static<typeof WebhooksConfig>;

/** worker.ts: ingestion and delivery. */
export const WorkerConfig = Type.Object({
  DATABASE_URL,
  HOST,
  LOG_LEVEL,
  METRICS_PORT,
  QUEUE_PREFIX,
  REDIS_URL,
  RELAY_INTERVAL_MS,
  ...tracingConfig,
  ...shared,
  /** How long events, deliveries and attempts are kept at least; a fifth or a day longer at most. */
  WEBHOOK_RETENTION_DAYS: Type.Integer({ minimum: 1, maximum: 3_650, default: 30 }),
  WEBHOOK_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 60_000, default: 15_000 }),
  /** Undelivered deliveries of one account, beyond which new ones are held in Postgres. */
  WEBHOOK_ACCOUNT_BACKLOG: Type.Integer({ minimum: 1_000, maximum: 10_000_000, default: 10_000 }),
  /** Slots for healthy endpoints: deliveries that this worker holds at once. */
  WORKER_CONCURRENCY: Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000 }),
});
export type WorkerConfig = Static<typeof WorkerConfig>;
