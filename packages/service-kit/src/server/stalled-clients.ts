import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Reservation } from './byte-budget.ts';
import type { InFlightLimits } from './in-flight-limits.ts';
import type { Server } from './server.ts';

/** A request from when it is admitted to the end of its answer. */
export interface Flight {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reserved: Reservation;
  /** The part of the reservation that is not for the answer. */
  requestBytes: number;
  isAnswered: boolean;
  /** An answer that is not in memory as a whole. */
  stream?: Readable | undefined;
  /** How much longer its client may do nothing: each byte earns it time, waiting costs it. */
  remainingMs: number;
  movedBytes: number;
  /** When its connection ended or its answer was taken, by the monotonic clock. */
  closedMs?: number;
}

/** How often clients are looked at. */
const CHECK_EVERY_MS = 1_000;

/**
 * Ends connections whose client neither sends nor takes what it should, until the server has closed and no
 * request is left.
 *
 * @param options.close called for a request whose connection has ended otherwise
 */
export function endStalled(
  server: Server,
  {
    flights,
    limits,
    close,
    onEnded,
  }: {
    flights: ReadonlySet<Flight>;
    limits: InFlightLimits;
    close: (flight: Flight) => void;
    onEnded: () => void;
  },
): void {
  let isClosing = false;
  const timer = setInterval(() => {
    for (const flight of flights) {
      const { socket } = flight.request;
      if (socket.destroyed) close(flight);
      else if (!isMoving(flight, limits)) {
        onEnded();
        socket.destroy();
      }
    }
    if (isClosing && flights.size === 0) clearInterval(timer);
  }, CHECK_EVERY_MS).unref();
  // Closing waits for the connections that are left.
  server.addHook('onClose', (_server, done) => {
    isClosing = true;
    done();
  });
}

/** @returns whether its client still sends and takes what it should */
function isMoving(flight: Flight, limits: InFlightLimits): boolean {
  const { request, response, isAnswered, stream, reserved } = flight;
  const { socket } = request;
  const unreadBytes = (stream?.readableLength ?? 0) + response.writableLength;
  const isArriving = !request.complete && request.readableLength === 0;
  const movedBytes = isAnswered ? socket.bytesWritten - socket.writableLength : socket.bytesRead;
  const earnedMs = Math.max(0, movedBytes - flight.movedBytes) * (1000 / limits.bytesPerSecond);
  const isWaiting = isArriving || unreadBytes > 0;
  flight.remainingMs = isWaiting
    ? Math.min(limits.stallTimeoutMs, flight.remainingMs - CHECK_EVERY_MS + earnedMs)
    : limits.stallTimeoutMs;
  flight.movedBytes = movedBytes;
  if (flight.remainingMs <= 0) return false;
  try {
    if (stream !== undefined) reserved.resize(flight.requestBytes + unreadBytes);
    return true;
  } catch {
    return false;
  }
}
