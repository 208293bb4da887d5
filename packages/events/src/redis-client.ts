import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { TlsConnector } from './tls-connector.ts';

/** Runs commands on one server, on the master that Sentinels name, or on a cluster. */
export type RedisClient = Redis | Cluster;

type RedisClientOptions = Omit<RedisOptions, 'replyMapping'>;

/** Lists and names are beyond `URL`. */
const SEVERAL_SERVERS =
  /^redis(?<tls>s?)\+(?<kind>cluster|sentinel):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<servers>[^@/?]+)(?:\/(?<master>[^?]*))?(?:\?|$)/;
const DEFAULT_PORTS = { cluster: 6379, sentinel: 26_379 };
/** A cluster fails over within seconds: longer than this a command is not kept. */
const FAILOVER_RETRY_MS = 100;
const SLOTS_TIMEOUT_MS = 2_000;

/**
 * Opens a client. The URLs are those of redis-py and of `limits`:
 *
 * - `redis://user:password@host:6379`, with TLS `rediss://`
 * - `redis+cluster://user:password@host1:6379,host2:6379`, with TLS `rediss+cluster://`
 * - `redis+sentinel://user:password@host1:26379,host2:26379/master`, with TLS `rediss+sentinel://`
 *
 * With TLS, `?ssl_ca_certs=FILE` names the authority of the server's certificate, and `ssl_certfile` and
 * `ssl_keyfile` a certificate of our own.
 *
 * @param options.maxRetriesPerRequest 0 fails a command at once while there is no connection
 */
export function createRedisClient(url: string, options: RedisClientOptions): RedisClient {
  const tls = tlsOf(url);
  const several = SEVERAL_SERVERS.exec(url)?.groups;
  if (several === undefined) {
    return tls === undefined
      ? new Redis(url, options)
      : new Redis(url.replace('rediss:', 'redis:'), {
          ...options,
          tls,
          Connector: TlsConnector,
        });
  }
  const account = {
    ...options,
    ...(several['user'] && { username: decodeURIComponent(several['user']) }),
    ...(several['password'] && { password: decodeURIComponent(several['password']) }),
    ...(tls !== undefined && { tls }),
  };
  if (several['kind'] === 'sentinel') {
    return new Redis({
      ...account,
      name: decodeURIComponent(several['master'] ?? ''),
      sentinels: serversOf(several['servers'], DEFAULT_PORTS.sentinel),
      ...(tls !== undefined && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    });
  }
  const {
    retryStrategy,
    enableOfflineQueue = true,
    lazyConnect = false,
    ...redisOptions
  } = account;
  return new Cluster(serversOf(several['servers'], DEFAULT_PORTS.cluster), {
    redisOptions: { ...redisOptions, ...(tls !== undefined && { Connector: TlsConnector }) },
    enableOfflineQueue,
    lazyConnect,
    retryDelayOnFailover: FAILOVER_RETRY_MS,
    slotsRefreshTimeout: options.connectTimeout ?? SLOTS_TIMEOUT_MS,
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
    // A certificate names hosts, so they are not replaced by their IP addresses.
    ...(tls !== undefined && { dnsLookup: (host, done) => done(null, host) }),
  });
}

function serversOf(list = '', defaultPort: number): { host: string; port: number }[] {
  return list.split(',').map((server) => {
    const { hostname, port } = new URL(`redis://${server}`);
    return { host: hostname, port: port === '' ? defaultPort : Number(port) };
  });
}

/** Undefined without TLS. The server's certificate is always verified. */
function tlsOf(url: string): ConnectionOptions | undefined {
  if (!url.startsWith('rediss')) return undefined;
  const query = new URLSearchParams(url.split('?')[1]);
  const contentOf = (name: string) => {
    const file = query.get(name);
    return file === null ? undefined : readFileSync(file);
  };
  const files = {
    ca: contentOf('ssl_ca_certs'),
    cert: contentOf('ssl_certfile'),
    key: contentOf('ssl_keyfile'),
  };
  return Object.fromEntries(Object.entries(files).filter(([, content]) => content !== undefined));
}
