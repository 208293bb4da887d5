import { once } from 'node:events';
import { REDIS_STREAM_LENGTH } from '@atrium/contracts/webhooks/destinations';
import type { RemoteDestination } from '../../subscriptions/destination.ts';
import type { Link } from './link.ts';
import { signatureHeaders } from '../destination-message.ts';
import { openSocket, type SocketTarget } from './socket-target.ts';

type RedisDestination = Extract<RemoteDestination, { kind: 'redis' }>;

/** The id of an entry has at most 41 characters, and the errors are single sentences. */
const REPLY_MAX_BYTES = 1_024;
const NOT_REDIS = 'The server does not answer as Redis does';

/**
 * Appends to a stream; an entry is delivered when Redis has answered with its id. Speaks only what that takes of RESP2
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/): a client for the whole protocol lets a hostile server
 * end the worker.
 */
export async function openRedisLink(
  { stream, maxLength = REDIS_STREAM_LENGTH, credentials }: RedisDestination,
  target: SocketTarget,
  signal: AbortSignal,
): Promise<Link> {
  /** Sent and not answered, in that order. */
  const commands: PromiseWithResolvers<void>[] = [];
  let failure: Error | undefined;
  const socket = openSocket(target, signal, {
    read(received) {
      const reply = firstReply(received);
      if (reply === undefined) return 0;
      const command = commands.shift();
      if (command === undefined) throw new Error(NOT_REDIS);
      if (reply.error === undefined) command.resolve();
      else command.reject(new Error(reply.error));
      return reply.bytes;
    },
    onEnd(error) {
      failure ??= error;
      for (const { reject } of commands.splice(0)) reject(failure);
    },
  });

  async function run(...words: (string | Buffer)[]): Promise<void> {
    if (failure !== undefined) throw failure;
    const command = Promise.withResolvers<void>();
    commands.push(command);
    const parts = words.flatMap((word) => [`$${Buffer.byteLength(word)}\r\n`, word, '\r\n']);
    socket.write(
      Buffer.concat([`*${words.length}\r\n`, ...parts].map((part) => Buffer.from(part))),
    );
    return command.promise;
  }

  await once(socket, target.isSecure ? 'secureConnect' : 'connect');
  if (credentials !== undefined) await run('AUTH', credentials.username, credentials.password);
  const database = Number(target.url.pathname.slice(1)) || 0;
  if (database !== 0) await run('SELECT', String(database));

  return {
    isOpen: () => failure === undefined,
    async send(message) {
      const fields = [...signatureHeaders(message).flat(), 'body', message.body];
      await run('XADD', stream, 'MAXLEN', '~', String(maxLength), '*', ...fields);
    },
    async close() {
      socket.end();
    },
  };
}

/** The reply at the start of what has arrived, once it is complete. */
function firstReply(received: Buffer): { bytes: number; error?: string } | undefined {
  const end = received.subarray(0, REPLY_MAX_BYTES).indexOf('\r\n');
  if (end === -1 && received.length < REPLY_MAX_BYTES) return undefined;
  const [, type, text] = /^([+:$-])(.*)$/s.exec(received.toString('utf8', 0, end)) ?? [];
  if (end === -1 || text === undefined) throw new Error(NOT_REDIS);
  const bytes = end + 2;
  if (type === '-') return { bytes, error: text };
  if (type !== '$') return { bytes };
  const length = Number(text);
  if (!(length >= 0 && length <= REPLY_MAX_BYTES)) throw new Error(NOT_REDIS);
  const allBytes = bytes + length + 2;
  return received.length < allBytes ? undefined : { bytes: allBytes };
}
