import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { REDIS_STREAM_LENGTH } from '@atrium/contracts/webhooks/destinations';
import { AbstractConnector, Redis } from 'ioredis';
import type { RemoteDestination } from '../../subscriptions/destination.ts';
import type { Link } from './link.ts';
import { signatureHeaders } from '../destination-message.ts';
import { limitReceived, type SocketTarget } from './socket-target.ts';

type RedisDestination = Extract<RemoteDestination, { kind: 'redis' }>;

const DISCONNECT_TIMEOUT_MS = 1_000;

/** Appends to a stream; an entry is delivered when Redis has answered with its id. */
export async function openRedisLink(
  { stream, maxLength = REDIS_STREAM_LENGTH, credentials }: RedisDestination,
  target: SocketTarget,
  signal: AbortSignal,
): Promise<Link> {
  const redis = new Redis({
    ...credentials,
    Connector: connectorTo(target, signal),
    db: Number(target.url.pathname.slice(1)) || 0,
    connectTimeout: target.connectTimeoutMs,
    lazyConnect: true,
    // The delivery has its own retries.
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    disableClientInfo: true,
  });
  let failure: Error | undefined;
  redis.on('error', (error: Error) => {
    failure = error;
  });
  await redis.connect().catch((error: unknown) => {
    throw failure ?? error;
  });

  return {
    isOpen: () => redis.status === 'ready',
    async send(message) {
      const fields = [...signatureHeaders(message).flat(), 'body', message.body];
      await redis.xadd(stream, 'MAXLEN', '~', maxLength, '*', ...fields);
    },
    close: async () => redis.disconnect(),
  };
}

/** The library is given a socket, since it looks names up itself unless the connection is encrypted. */
function connectorTo({ host, port, isSecure, lookup }: SocketTarget, signal: AbortSignal) {
  return class GuardedConnector extends AbstractConnector {
    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }

    async connect() {
      this.connecting = true;
      const options = { host, port, lookup, signal, noDelay: true };
      // Only a name is sent to the server (RFC 6066).
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const socket = isSecure ? connectSecurely({ ...options, ...servername }) : connect(options);
      limitReceived(socket);
      this.stream = socket;
      return socket;
    }
  };
}
