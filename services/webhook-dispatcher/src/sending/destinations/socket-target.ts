import type { LookupFunction, Socket } from 'node:net';
import { checkedLookup, literalAddress } from '@atrium/service-kit/address-guard';
import type { ConnectionsOptions } from '../connections.ts';
import { isSchemeAllowed } from '../schemes.ts';

/** Beyond twice what was sent: a broker answers with a few bytes, or returns the message. */
const RECEIVED_MAX_BYTES = 1_048_576;

export interface SocketTarget {
  url: URL;
  host: string;
  port: number;
  isSecure: boolean;
  /** Looks a name up: only IP addresses that were just checked are connected to. */
  lookup: LookupFunction;
  /** The limited ones among the addresses of the host, once they are known. */
  limitedAddresses: readonly string[];
  connectTimeoutMs: number;
}

export type SocketTargetOptions = Omit<ConnectionsOptions, 'connectionsPerOrigin'>;

export interface SocketEndpoint {
  url: string;
  accountId: string;
  secureScheme: string;
  /** When the URL names none: of encrypted connections, and of others. */
  defaultPorts: { secure: number; plain: number };
}

/** What a socket needs to connect to this URL. Throws when it must not be connected to. */
export function socketTarget(
  { url: text, accountId, secureScheme, defaultPorts }: SocketEndpoint,
  { guard, resolve, allowHttp, isAddressLimited, connectTimeoutMs }: SocketTargetOptions,
): SocketTarget {
  const url = new URL(text);
  if (!isSchemeAllowed(url, secureScheme, allowHttp)) {
    throw new Error(`The URL does not use ${secureScheme}`);
  }
  const literal = literalAddress(url);
  if (literal !== undefined && !guard(literal)) {
    throw new Error('The host has a private or reserved address');
  }
  const isSecure = url.protocol === `${secureScheme}:`;
  const target: SocketTarget = {
    url,
    host: literal ?? url.hostname,
    port: Number(url.port) || (isSecure ? defaultPorts.secure : defaultPorts.plain),
    isSecure,
    connectTimeoutMs,
    limitedAddresses: literal !== undefined && isAddressLimited(literal) ? [literal] : [],
    lookup: checkedLookup(guard, async (hostname) => {
      const found = await resolve(hostname, accountId);
      target.limitedAddresses = found.map(({ address }) => address).filter(isAddressLimited);
      return found;
    }),
  };
  return target;
}

/** Cuts off a server that sends without end, which its client library would keep in memory. */
export function limitReceived(socket: Socket): void {
  socket.on('data', () => {
    if (socket.bytesRead > RECEIVED_MAX_BYTES + 2 * socket.bytesWritten) {
      socket.destroy(new Error('The server sent more than is read'));
    }
  });
}
