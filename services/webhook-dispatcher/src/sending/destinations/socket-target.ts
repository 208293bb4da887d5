import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
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
}

export type SocketTargetOptions = Omit<
  ConnectionsOptions,
  'connectionsPerOrigin' | 'connectTimeoutMs'
>;

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
  { guard, resolve, allowHttp, isAddressLimited }: SocketTargetOptions,
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
    limitedAddresses: literal !== undefined && isAddressLimited(literal) ? [literal] : [],
    lookup: checkedLookup(guard, async (hostname) => {
      const found = await resolve(hostname, accountId);
      target.limitedAddresses = found.map(({ address }) => address).filter(isAddressLimited);
      return found;
    }),
  };
  return target;
}

export interface SocketReader {
  /**
   * Takes what is complete at the start of what has arrived. Throws when it is not what was asked for.
   *
   * @returns how many bytes it took; 0 when nothing is complete yet
   */
  read: (received: Buffer) => number;
  /** The connection has ended; called more than once. */
  onEnd: (error: Error) => void;
}

/**
 * Connects to a server that is not trusted: whatever it sends can only end its own connection.
 *
 * @param signal destroys the socket
 */
export function openSocket(
  { host, port, isSecure, lookup }: SocketTarget,
  signal: AbortSignal,
  { read, onEnd }: SocketReader,
): Socket {
  const options = { host, port, lookup, signal, noDelay: true };
  // Only a name is sent to the server (RFC 6066).
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = isSecure ? connectSecurely({ ...options, ...servername }) : connect(options);
  let received: Buffer = Buffer.alloc(0);

  function take(chunk: Buffer): void {
    if (socket.bytesRead > RECEIVED_MAX_BYTES + 2 * socket.bytesWritten) {
      throw new Error('The server sent more than is read');
    }
    received = Buffer.concat([received, chunk]);
    while (!socket.destroyed) {
      const takenBytes = read(received);
      if (takenBytes === 0) return;
      received = received.subarray(takenBytes);
    }
  }

  socket.on('data', (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', onEnd);
  socket.on('close', () => onEnd(new Error('The server closed the connection')));
  return socket;
}
