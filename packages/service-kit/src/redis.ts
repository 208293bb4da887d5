import { createRedisClient, type RedisClient } from '@atrium/events/redis-client';
import { unavailable } from './http-error.ts';
import type { Logger } from './logger.ts';

const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 1000;
/** A command that has failed is still kept for its answer, as long as its connection. */
const SILENT_COMMANDS = 5;
const RECONNECT_MAX_MS = 1000;

export interface RedisHandle extends AsyncDisposable {
  readonly client: RedisClient;
  /** A connection of its own, not yet connected, which subscribes each time it is ready. */
  openSubscriber(connectionName: string): RedisClient;
  /** Resolves when Redis answers a PING. */
  check(): Promise<void>;
}

function reconnectDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), RECONNECT_MAX_MS);
}

/**
 * A Redis client that fails fast: while it is offline a command is refused at once (no queue), and a
 * command unanswered after 1 s fails. It reconnects by itself, also when a connection says nothing for 5 s.
 * Waits for the first connection for at most 2 s and then returns anyway: a service starts, unready,
 * while Redis is unavailable.
 *
 * @param options.connectTimeoutMs 2000
 * @param options.commandTimeoutMs 1000
 */
export async function openRedis(options: {
  url: string;
  logger?: Logger;
  connectionName?: string;
  connectTimeoutMs?: number;
  commandTimeoutMs?: number;
}): Promise<RedisHandle> {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, commandTimeoutMs = COMMAND_TIMEOUT_MS } = options;
  const settings = {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    socketTimeout: SILENT_COMMANDS * commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    retryStrategy: reconnectDelayMs,
  };
  const { connectionName } = options;
  const client = createRedisClient(options.url, {
    ...settings,
    ...(connectionName === undefined ? {} : { connectionName }),
  });
  let isDown = false;
  client.on('error', (error: Error) => {
    // One line per outage, not one per attempt to reconnect.
    if (!isDown) {
      options.logger?.warn({ err: error }, 'Redis is unavailable');
    }
    isDown = true;
  });
  client.on('ready', () => {
    if (isDown) {
      options.logger?.info('Redis is back');
    }
    isDown = false;
  });
  await firstConnection(client, connectTimeoutMs);
  return {
    client,
    openSubscriber: (name) =>
      createRedisClient(options.url, { ...settings, autoResubscribe: false, connectionName: name }),
    async check() {
      if (client.status !== 'ready') {
        throw unavailable('Redis is unavailable');
      }
      await client.ping();
    },
    async [Symbol.asyncDispose]() {
      await close(client);
    },
  };
}

async function firstConnection(client: RedisClient, timeoutMs: number): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  // The reason was logged by the error listener.
  await Promise.race([client.connect().catch(() => undefined), timeout]);
  clearTimeout(timer);
}

async function close(client: RedisClient): Promise<void> {
  if (client.status === 'end') {
    return;
  }
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  if (client.status === 'ready') {
    // QUIT lets what was sent be answered; when it fails there is nothing left to wait for.
    await client.quit().catch(() => client.disconnect());
    return;
  }
  client.disconnect();
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100).unref())]);
}
