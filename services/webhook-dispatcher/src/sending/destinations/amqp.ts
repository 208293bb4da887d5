import { unescape } from 'node:querystring';
import type { RemoteDestination } from '../../subscriptions/destination.ts';
import type { Link } from './link.ts';
import { type DestinationMessage, signatureHeaders } from '../destination-message.ts';
import {
  agreedFrameBytes,
  content,
  firstFrame,
  FRAME,
  long,
  longString,
  METHOD,
  method,
  NOT_AMQP,
  octet,
  PROTOCOL_HEADER,
  short,
  shortString,
  table,
  timestamp,
} from './amqp-frames.ts';
import { openSocket, type SocketTarget } from './socket-target.ts';

type AmqpDestination = Extract<RemoteDestination, { kind: 'amqp' }>;

const CONNECTION = 0;
const CHANNEL = 1;
const MANDATORY = 1;
const PERSISTENT = 2;
/** Content type, headers, delivery mode, message id, timestamp and type: what `propertiesOf` has. */
const PROPERTY_FLAGS = 0xb0_e0;
const CLIENT_PROPERTIES = table({
  product: 'Atrium',
  // Otherwise the broker closes the socket without a word when it refuses the login.
  capabilities: {
    publisher_confirms: true,
    'basic.nack': true,
    authentication_failure_close: true,
  },
});

interface Unconfirmed extends PromiseWithResolvers<void> {
  messageId: string;
  isReturned: boolean;
}

/**
 * Publishes with confirms: a message counts as delivered when the broker has taken it over. Speaks only what that takes
 * of AMQP: a client for the whole protocol lets a hostile broker end the worker. Heartbeats are declined, since a
 * message has a deadline and an idle connection is soon closed.
 */
export async function openAmqpLink(
  { exchange, routingKey, credentials }: AmqpDestination,
  target: SocketTarget,
  signal: AbortSignal,
): Promise<Link> {
  const { username, password } = credentials;
  const vhost = shortString(unescape(target.url.pathname.slice(1)) || '/');
  const opened = Promise.withResolvers<void>();
  /** By delivery tag: the number of the message on its channel. */
  const unconfirmed = new Map<number, Unconfirmed>();
  let failure: Error | undefined;
  let frameBytes = 0;
  let lastTag = 0;

  /** What the broker sends while the connection is opened, in this order, and the answers. */
  const handshake: { id: number; answer: (args: Buffer) => Buffer[] }[] = [
    {
      id: METHOD.start,
      answer: () => {
        const login = [shortString('PLAIN'), longString(`\0${username}\0${password}`)];
        const locale = shortString('en_US');
        return [method(CONNECTION, METHOD.startOk, CLIENT_PROPERTIES, ...login, locale)];
      },
    },
    {
      id: METHOD.tune,
      answer: (args) => {
        frameBytes = agreedFrameBytes(args);
        const limits = [short(CHANNEL), long(frameBytes), short(0)];
        return [
          method(CONNECTION, METHOD.tuneOk, ...limits),
          method(CONNECTION, METHOD.open, vhost, shortString(''), octet(0)),
        ];
      },
    },
    { id: METHOD.openOk, answer: () => [method(CHANNEL, METHOD.channelOpen, shortString(''))] },
    { id: METHOD.channelOpenOk, answer: () => [method(CHANNEL, METHOD.confirmSelect, octet(0))] },
    {
      id: METHOD.confirmSelectOk,
      answer: () => {
        opened.resolve();
        return [];
      },
    },
  ];

  const socket = openSocket(target, signal, {
    read(received) {
      const frame = firstFrame(received);
      if (frame === undefined) return 0;
      const { type, payload, bytes } = frame;
      if (type === FRAME.method) acceptMethod(payload.readUInt32BE(), payload.subarray(4));
      else if (type === FRAME.header) markReturned(payload);
      else if (type !== FRAME.body && type !== FRAME.heartbeat) throw new Error(NOT_AMQP);
      return bytes;
    },
    onEnd(error) {
      failure ??= error;
      opened.reject(failure);
      for (const { reject } of unconfirmed.values()) reject(failure);
      unconfirmed.clear();
    },
  });

  function acceptMethod(id: number, args: Buffer): void {
    switch (id) {
      case METHOD.close:
      case METHOD.channelClose:
        throw new Error(`The broker closed the connection: ${closeReason(args)}`);
      case METHOD.return:
        // The header that follows says which message it is.
        return;
      case METHOD.ack:
      case METHOD.nack:
        settle(id === METHOD.ack, Number(args.readBigUInt64BE()), (args.readUInt8(8) & 1) === 1);
        return;
      default: {
        const step = handshake.shift();
        if (step?.id !== id) throw new Error(NOT_AMQP);
        for (const answer of step.answer(args)) socket.write(answer);
      }
    }
  }

  /** The broker returns what it cannot route before it confirms it. */
  function markReturned(header: Buffer): void {
    for (const message of unconfirmed.values()) {
      if (header.includes(message.messageId)) message.isReturned = true;
    }
  }

  function settle(isTaken: boolean, tag: number, isMultiple: boolean): void {
    const tags = isMultiple ? [...unconfirmed.keys()].filter((other) => other <= tag) : [tag];
    for (const each of tags) {
      const message = unconfirmed.get(each);
      unconfirmed.delete(each);
      if (!isTaken) message?.reject(new Error('The broker has refused the message'));
      else if (message?.isReturned === true)
        message.reject(new Error('The exchange leads to no queue for the routing key'));
      else message?.resolve();
    }
  }

  socket.write(PROTOCOL_HEADER);
  await opened.promise;
  const address = [short(0), shortString(exchange), shortString(routingKey), octet(MANDATORY)];

  return {
    isOpen: () => failure === undefined,
    async send(message) {
      if (failure !== undefined) throw failure;
      const properties = { flags: PROPERTY_FLAGS, values: propertiesOf(message) };
      const frames = content(CHANNEL, properties, message.body, frameBytes);
      const settled = Promise.withResolvers<void>();
      lastTag += 1;
      unconfirmed.set(lastTag, { ...settled, messageId: message.deliveryId, isReturned: false });
      socket.write(Buffer.concat([method(CHANNEL, METHOD.publish, ...address), frames]));
      return settled.promise;
    },
    async close() {
      const reason = [short(200), shortString('Idle'), short(0), short(0)];
      socket.end(method(CONNECTION, METHOD.close, ...reason));
    },
  };
}

function propertiesOf(message: DestinationMessage): Buffer[] {
  return [
    shortString('application/json'),
    table(Object.fromEntries(signatureHeaders(message))),
    octet(PERSISTENT),
    shortString(message.deliveryId),
    timestamp(Math.floor(message.startedMs / 1000)),
    shortString(message.event),
  ];
}

/** In the words of the broker: a code, and a text that begins with what it means. */
function closeReason(args: Buffer): string {
  const textBytes = args.readUInt8(2);
  return `${args.readUInt16BE()} ${args.toString('utf8', 3, 3 + textBytes)}`;
}
