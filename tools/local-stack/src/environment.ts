import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessName, ProcessSpec } from './processes/process-table.ts';
import type { DevelopmentSecrets } from './secrets.ts';
import { databaseUrl } from './servers/servers.ts';

/** Where each service answers on this machine. */
export interface PlatformUrls {
  web: string;
  auth: string;
  notes: string;
  webhooks: string;
  links: string;
}

/** What all processes of one platform share. */
export interface RuntimeConfiguration {
  env: NodeJS.ProcessEnv;
  portBase: number;
  dataDir: string;
  /** Address of any database on the server. */
  databaseServerUrl: string;
  databasePrefix: string;
  redisUrl: string;
  secrets: DevelopmentSecrets;
}

/** Short, so that a developer sees every retry. */
const LOCAL_RETRY_DELAYS_MS = '1000,2000,5000,10000';

/** Processes that tell browsers addresses: of the services, and of avatars. */
const KNOWN_TO_BROWSERS: readonly ProcessName[] = ['web', 'auth'];

/** Variables of the system that any program needs. */
const SYSTEM_VARIABLES = (
  'PATH HOME USER TMPDIR LANG LC_ALL TZ ' +
  'NODE_OPTIONS NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS SSL_CERT_FILE'
).split(' ');

/** Variables of Atrium that are passed on when set, each also as NAME_FILE. */
const ATRIUM_VARIABLES = (
  'HOST LOG_LEVEL AUTH_URL NOTES_URL NOTES_INTERNAL_URL NOTES_WORKER_URL LINKS_URL WEBHOOKS_URL WEBHOOKS_INTERNAL_URL WEB_URL CORS_ORIGINS RETURN_ORIGINS TRUST_PROXY KEPT_ASSETS_DIR ' +
  'ACCESS_TOKEN_TTL_SECONDS ACCOUNT_DELETION_GRACE_DAYS OPERATOR_EMAILS LOGIN_PROVIDERS DEFAULT_PLAN ATRIUM_VERSION ' +
  'REFRESH_SLIDING SIGNING_KEY_MAX_AGE_DAYS SMTP_URL MAIL_FROM MAIL_DIR CRON_SECRET INTERNAL_SECRET SECRETS_KEYS MESSAGE_KEYS ' +
  'AUDIT_RETENTION_DAYS MAIL_RETENTION_DAYS UV_THREADPOOL_SIZE ' +
  'RATE_LIMITS RATE_LIMIT_PER_ACCOUNT RATE_LIMIT_PER_ADDRESS QUEUE_PREFIX WEBHOOK_RETRY_DELAYS_MS WEBHOOK_ALLOW_HTTP WEBHOOK_ALLOWED_NETWORKS ' +
  'FILES_FOLDER S3_BUCKET S3_REGION S3_ENDPOINT S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY ' +
  'WEBHOOK_ACCOUNT_BACKLOG WEBHOOK_TIMEOUT_MS WEBHOOK_RETENTION_DAYS WORKER_CONCURRENCY CLICK_RETENTION_DAYS ' +
  'OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_CERTIFICATE ' +
  'OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_SAMPLER_ARG ' +
  'TRACE_ACCOUNTS TRACE_TRUSTED_NETWORKS TRACE_URL_TEMPLATE'
).split(' ');

/** The local addresses that follow from PORT_BASE. */
export function platformUrls(portBase: number): PlatformUrls {
  return { ...urlsAt('127.0.0.1', portBase), web: browserUrls(portBase).web };
}

/** The same for browsers: passkeys need a name, and cookies the same name for all of them. */
export function browserUrls(portBase: number): PlatformUrls {
  return urlsAt('localhost', portBase);
}

function urlsAt(host: string, portBase: number): PlatformUrls {
  const at = (offset: number) => `http://${host}:${portBase + offset}`;
  return { web: at(0), auth: at(1), notes: at(2), webhooks: at(3), links: at(4) };
}

/** A variable given as NAME or, by its file, as NAME_FILE; undefined when neither is set. */
export async function readVariable(
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<string | undefined> {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  const file = env[`${name}_FILE`];
  return file === undefined || file === '' ? undefined : (await readFile(file, 'utf8')).trim();
}

/** The whole environment of one process of the platform. */
export function processEnvironment(
  spec: ProcessSpec,
  runtime: RuntimeConfiguration,
): Record<string, string> {
  const { portBase } = runtime;
  const urls = KNOWN_TO_BROWSERS.includes(spec.name)
    ? browserUrls(portBase)
    : platformUrls(portBase);
  const given = pick(runtime.env, [
    ...SYSTEM_VARIABLES,
    ...ATRIUM_VARIABLES.flatMap((name) => [name, `${name}_FILE`]),
  ]);
  const defaults: Record<string, string> = {
    AUTH_URL: urls.auth,
    NOTES_URL: urls.notes,
    NOTES_WORKER_URL: `http://127.0.0.1:${portBase + 6}`,
    LINKS_URL: urls.links,
    WEBHOOKS_URL: urls.webhooks,
    WEB_URL: urls.web,
    CORS_ORIGINS: given['WEB_URL'] ?? urls.web,
    FILES_FOLDER: join(runtime.dataDir, 'files'),
    MAIL_DIR: join(runtime.dataDir, 'mail'),
    KEPT_ASSETS_DIR: join(runtime.dataDir, 'assets'),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    WEBHOOK_RETRY_DELAYS_MS: LOCAL_RETRY_DELAYS_MS,
    ...runtime.secrets,
  };
  const missing = Object.entries(defaults).filter(
    ([name]) => given[name] === undefined && given[`${name}_FILE`] === undefined,
  );
  return {
    ...given,
    ...Object.fromEntries(missing),
    ...(spec.portOffset !== null && { PORT: String(portBase + spec.portOffset) }),
    METRICS_PORT: String(portBase + spec.metricsOffset),
    ...(spec.database !== null &&
      databaseUrls(runtime, `${runtime.databasePrefix}_${spec.database}`)),
    REDIS_URL: runtime.redisUrl,
  };
}

/** The URLs of one database: for the service, and where they are others, for its migrations and some reads. */
function databaseUrls(
  { databaseServerUrl, env }: RuntimeConfiguration,
  name: string,
): Record<string, string> {
  const direct = env['DIRECT_DATABASE_URL'];
  const read = env['DATABASE_READ_URL'];
  return {
    DATABASE_URL: databaseUrl(databaseServerUrl, name),
    ...(direct !== undefined && { DIRECT_DATABASE_URL: databaseUrl(direct, name) }),
    ...(read !== undefined && { DATABASE_READ_URL: databaseUrl(read, name) }),
  };
}

function pick(env: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') picked[name] = value;
  }
  return picked;
}
