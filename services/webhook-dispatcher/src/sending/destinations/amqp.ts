import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChannelModel, connect } from 'amqplib';
import type { RemoteDestination } from '../../subscriptions/destination.ts';
import type { Link } from './link.ts';
import { type DestinationMessage, signatureHeaders } from '../destination-message.ts';
import { limitReceived, type SocketTarget } from './socket-target.ts';

type AmqpDestination = Extract<RemoteDestination, { kind: 'amqp' }>;

const HEARTBEAT_SECONDS = 10;
const FRAME_MAX_BYTES = 131_072;
const CLOSE_TIMEOUT_MS = 1_000;

/** Publishes with confirms: a message counts as delivered when the broker has taken it over. */
export async function openAmqpLink(
  { exchange, routingKey, credentials }: AmqpDestination,
  target: SocketTarget,
  signal: AbortSignal,
): Promise<Link> {
  const { host, port, isSecure, lookup } = target;
  // The library hands these to the socket as they are, and its types do not name them all.
  const socketOptions = { lookup, signal, noDelay: true };
  const model = await connect(
    {
      ...credentials,
      protocol: isSecure ? 'amqps' : 'amqp',
      hostname: host,
      port,
      vhost: target.url.pathname.slice(1),
      heartbeat: HEARTBEAT_SECONDS,
      frameMax: FRAME_MAX_BYTES,
      maxFrameSize: FRAME_MAX_BYTES,
    },
    socketOptions,
  ).catch((error: unknown) => {
    throw inWords(error);
  });
  limitReceived(socketOf(model));
  let isOpen = true;
  let failure: Error | undefined;
  const onError = (error: Error) => {
    isOpen = false;
    failure ??= error;
  };
  const onClose = () => {
    isOpen = false;
  };
  model.on('error', onError).on('close', onClose);
  const channel = await model.createConfirmChannel().catch((error: unknown) => {
    void model.close().catch(() => undefined);
    throw failure ?? error;
  });
  channel.on('error', onError).on('close', onClose);
  /** Sent and not confirmed, by delivery; true once the broker has returned it. */
  const unconfirmed = new Map<string, boolean>();
  channel.on('return', ({ properties }) => {
    const id = String(properties.messageId);
    if (unconfirmed.has(id)) unconfirmed.set(id, true);
  });

  return {
    isOpen: () => isOpen,
    send(message: DestinationMessage) {
      const { deliveryId: messageId, event, startedMs, body } = message;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      unconfirmed.set(messageId, false);
      const options = {
        mandatory: true,
        persistent: true,
        contentType: 'application/json',
        messageId,
        type: event,
        timestamp: Math.floor(startedMs / 1000),
        headers: Object.fromEntries(signatureHeaders(message)),
      };
      // The broker returns what it cannot route before it confirms it.
      channel.publish(exchange, routingKey, body, options, (error: Error | null) => {
        const isReturned = unconfirmed.get(messageId) === true;
        unconfirmed.delete(messageId);
        if (error !== null) reject(failure ?? error);
        else if (isReturned)
          reject(new Error('The exchange leads to no queue for the routing key'));
        else resolve();
      });
      return promise;
    },
    async close() {
      isOpen = false;
      const closed = model.close().catch(() => undefined);
      await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** The library has no words for the one rejection that comes after the login. */
function inWords(error: unknown): unknown {
  const isVhost = error instanceof Error && error.message.includes('ConnectionOpenOk');
  return isVhost ? new Error('The user may not open the virtual host', { cause: error }) : error;
}

/** The library takes the URL to connect to and keeps the socket to itself. */
function socketOf({ connection }: ChannelModel): Socket {
  const socket: unknown = Reflect.get(connection, 'stream');
  if (!(socket instanceof Socket)) throw new Error('The connection has no socket');
  return socket;
}
