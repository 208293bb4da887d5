import { compile } from '@fastify/proxy-addr';
import { DEFAULT_QUEUE_PREFIX } from '@atrium/contracts/queues';
import Type from 'typebox';
import { tracingConfig } from './tracing/config.ts';
import { DEFAULT_PER_MINUTE } from './rate-limit/schedule.ts';

/** Whether fastify takes them. It would stop the start too, but not name the variable. */
function areProxies(text: string): boolean {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  try {
    compile(proxies);
  } catch {
    return false;
  }
  // Elsewhere a number of proxies; here it would be read as an address, 0.0.0.1.
  return !proxies.some((proxy) => /^\d+$/.test(proxy));
}

/** A TCP port. */
export const Port = Type.Integer({
  minimum: 0,
  maximum: 65_535,
  description: 'a port number from 0 to 65535',
});

/** A URL of a web server, without a trailing slash. */
export const WebUrl = Type.String({
  pattern: '^https?://[^\\s/]+(/[^\\s]*[^\\s/])?$',
  description: 'an http:// or https:// URL without a trailing slash',
});

/** What browsers send as an origin: no path, no capitals, no default port. */
export const Origin = Type.Refine(
  WebUrl,
  (text) => URL.canParse(text) && new URL(text).origin === text,
);

const requestsPerMinute = (limit: number) =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: limit,
    description: 'a number of requests a minute from 1 to 1000000000',
  });

/** What every HTTP service reads from its environment; to be spread into the service's schema. */
export const baseConfig = {
  PORT: Port,
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'an IP address or host name to listen on',
  }),
  METRICS_PORT: Port,
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'a postgres:// URL',
  }),
  REDIS_URL: Type.String({
    pattern: '^rediss?([+](cluster|sentinel))?://',
    description: 'a redis:// URL',
  }),
  LOG_LEVEL: Type.Union(
    (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) =>
      Type.Literal(level),
    ),
    { default: 'info' },
  ),
  AUTH_URL: WebUrl,
  CORS_ORIGINS: Type.Array(Origin, {
    default: [],
    description: 'origins separated by commas, such as https://app.example.com',
  }),
  TRUST_PROXY: Type.Union([Type.Boolean(), Type.Refine(Type.String(), areProxies)], {
    default: false,
    description: 'true (one proxy), false, or the IP addresses of the proxies separated by commas',
  }),
  /** What this process runs, such as a release or a commit. Operators see it. */
  ATRIUM_VERSION: Type.String({ minLength: 1, maxLength: 100, default: 'development' }),
  RATE_LIMITS: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'on' }),
  RATE_LIMIT_PER_ACCOUNT: requestsPerMinute(DEFAULT_PER_MINUTE.account),
  RATE_LIMIT_PER_ADDRESS: requestsPerMinute(DEFAULT_PER_MINUTE.ip),
  QUEUE_PREFIX: Type.String({ minLength: 1, default: DEFAULT_QUEUE_PREFIX }),
  /** How often a relay looks at the outbox without being woken. Only tests change it. */
  RELAY_INTERVAL_MS: Type.Integer({ minimum: 1, maximum: 3_600_000, default: 1_000 }),
  ...tracingConfig,
};

/** For services with reads that may be some seconds old: the standby that answers them. */
export const readReplicaConfig = { DATABASE_READ_URL: Type.Optional(baseConfig.DATABASE_URL) };
