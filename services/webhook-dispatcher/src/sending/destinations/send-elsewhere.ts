import type { KeyRing } from '@atrium/service-kit/key-ring';
import { LRUCache } from 'lru-cache';
import { openDestination, type RemoteDestination } from '../../subscriptions/destination.ts';
import { faultOf, type Send, type SendResult } from '../send.ts';
import { Links, type LinksOptions } from './links.ts';
import type { OpenLink } from './link.ts';
import type { DestinationMessage, SendElsewhere } from '../destination-message.ts';
import { SECURE_SCHEMES } from '../schemes.ts';
import { socketTarget, type SocketTargetOptions } from './socket-target.ts';

const CACHED_DESTINATIONS_MAX = 10_000;

export interface DestinationsOptions extends LinksOptions, SocketTargetOptions {
  keyRing: KeyRing;
  /** For the destinations that are requests by HTTP too. */
  send: Send;
}

/**
 * Opens the way to destinations other than HTTP. Their libraries are loaded with the first delivery
 * that needs one. Disposal closes every connection and postpones what is in flight.
 */
export function openDestinations(
  options: DestinationsOptions,
): AsyncDisposable & { sendElsewhere: SendElsewhere } {
  const { keyRing, send } = options;
  const links = new Links(options);
  const opened = new LRUCache<string, RemoteDestination>({ max: CACHED_DESTINATIONS_MAX });

  function destinationOf({ subscriptionId, sealedDestination }: DestinationMessage) {
    let destination = opened.get(sealedDestination);
    if (destination === undefined) {
      destination = openDestination(keyRing, subscriptionId, sealedDestination);
      opened.set(sealedDestination, destination);
    }
    return destination;
  }

  function sendOnLink(message: DestinationMessage, { kind, defaultPorts, open }: LinkKind) {
    const { url, accountId } = message;
    const target = socketTarget(
      { url, accountId, secureScheme: SECURE_SCHEMES[kind], defaultPorts },
      options,
    );
    return links.send(message, target, open);
  }

  async function sendTo(
    destination: RemoteDestination,
    message: DestinationMessage,
  ): Promise<SendResult> {
    switch (destination.kind) {
      case 'sqs': {
        const { sqsRequest } = await import('./sqs.ts');
        return send(await sqsRequest(destination, message));
      }
      case 's3': {
        const { s3Request } = await import('./s3.ts');
        return send(await s3Request(destination, message));
      }
      case 'amqp': {
        const { openAmqpLink } = await import('./amqp.ts');
        return sendOnLink(message, {
          kind: 'amqp',
          defaultPorts: { secure: 5671, plain: 5672 },
          open: (target, signal) => openAmqpLink(destination, target, signal),
        });
      }
      case 'redis': {
        const { openRedisLink } = await import('./redis-stream.ts');
        return sendOnLink(message, {
          kind: 'redis',
          defaultPorts: { secure: 6379, plain: 6379 },
          open: (target, signal) => openRedisLink(destination, target, signal),
        });
      }
    }
  }

  return {
    async sendElsewhere(message) {
      let destination;
      try {
        destination = destinationOf(message);
      } catch {
        const error = 'The destination cannot be opened with the configured keys';
        return { answer: { kind: 'failure', error }, durationMs: 0 };
      }
      try {
        return await sendTo(destination, message);
      } catch (error) {
        const fault = error instanceof Error ? error : new Error(String(error));
        return { answer: faultOf(fault), durationMs: 0 };
      }
    },
    [Symbol.asyncDispose]: () => links[Symbol.asyncDispose](),
  };
}

interface LinkKind {
  kind: 'amqp' | 'redis';
  defaultPorts: { secure: number; plain: number };
  open: OpenLink;
}
