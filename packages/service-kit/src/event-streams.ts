import { Readable } from 'node:stream';
import { sleep } from '@atrium/events/timing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Account, accountOf, type Authenticator } from './authentication/authentication.ts';
import { runForHolder } from './holder.ts';
import { tooManyRequests, unavailable } from './http-error.ts';
import type { Logger } from './logger.ts';
import { clientKeyOf } from './rate-limit/address.ts';

const HEARTBEAT_MS = 15_000;
/** Open streams of one process: nobody, and no number of new accounts, takes what others need. */
const STREAMS = { max: 1_000, ofUnverified: 300, perNetwork: 100 };
const STREAMS_PER_ACCOUNT = { verified: 10, unverified: 5 };

/** A client that reconnects without a pause must not keep a service busy. */
export const EVENT_STREAMS_RATE = { limit: 120, windowSeconds: 60 };

/** The account that reads a stream, and its network. */
export interface StreamReader {
  readonly account: Account;
  /** What its IP address counts as. */
  readonly network: string;
}

export type EventStream<State> = State & StreamReader & { readonly body: Readable };

/** The stream that a request asks for is read by whoever makes it. */
export function streamReaderOf(request: FastifyRequest): StreamReader {
  return { account: accountOf(request), network: clientKeyOf(request.ip) };
}

export interface EventStreamsOptions<State> {
  authenticator: Pick<Authenticator, 'isCurrent'>;
  logger: Logger;
  pollMs: number;
  /** Sends what is new to the open streams. What a poll that fails has not sent is left to the next one. */
  poll: (streams: ReadonlySet<EventStream<State>>) => Promise<void>;
}

/**
 * The open streams of server-sent events of this process. One poll serves them all; without streams there is
 * none. A stream ends with the session that opened it, with this process, and, as every answer, when nobody reads
 * it.
 */
export class EventStreams<State extends object> implements AsyncDisposable {
  readonly #options: EventStreamsOptions<State>;
  readonly #streams = new Set<EventStream<State>>();
  readonly #stopped = new AbortController();
  #polling: Promise<void> | undefined;

  constructor(options: EventStreamsOptions<State>) {
    this.#options = options;
  }

  /** @throws HttpError 429 when the reader has too many streams, 503 when this process has */
  open(reader: StreamReader, state: State): EventStream<State> {
    const { account, network } = reader;
    const streams = [...this.#streams];
    const countOf = (isCounted: (stream: StreamReader) => boolean) =>
      streams.filter(isCounted).length;
    const ofAccount = STREAMS_PER_ACCOUNT[account.emailVerified ? 'verified' : 'unverified'];
    if (
      countOf((stream) => stream.account.id === account.id) >= ofAccount ||
      countOf((stream) => stream.network === network) >= STREAMS.perNetwork
    ) {
      throw tooManyRequests('Too many open streams', 60);
    }
    const ofUnverified = countOf((stream) => !stream.account.emailVerified);
    const isFull =
      streams.length >= STREAMS.max ||
      (!account.emailVerified && ofUnverified >= STREAMS.ofUnverified);
    if (isFull || this.#stopped.signal.aborted) {
      throw unavailable('No further stream can be opened at the moment');
    }
    const body = new Readable({ read: () => undefined });
    const stream = { ...state, ...reader, body };
    this.#streams.add(stream);
    body.on('close', () => this.#streams.delete(stream));
    body.push('retry: 1000\n\n');
    // It serves everybody, so it takes no share of the first reader.
    this.#polling ??= runForHolder(undefined, () => this.#poll());
    return stream;
  }

  async #poll(): Promise<void> {
    const { pollMs, poll, logger } = this.#options;
    let heartbeatMs = performance.now();
    let isFailing = false;
    while (this.#streams.size > 0) {
      await sleep(pollMs, this.#stopped.signal);
      this.#closeEnded();
      if (this.#stopped.signal.aborted) return;
      if (performance.now() - heartbeatMs >= HEARTBEAT_MS) {
        heartbeatMs = performance.now();
        for (const { body } of this.#streams) body.push(': heartbeat\n\n');
      }
      try {
        await poll(this.#streams);
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ err: error }, 'streams cannot be served, will try again');
        isFailing = true;
      }
    }
    this.#polling = undefined;
  }

  #closeEnded(): void {
    for (const { account, body } of this.#streams) {
      if (this.#stopped.signal.aborted || !this.#options.authenticator.isCurrent(account)) {
        endStream(body);
      }
    }
  }

  /** Ends every stream; their readers resume at another process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    this.#closeEnded();
    await this.#polling;
  }
}

/** Ends a stream so that its reader opens it again. */
export function endStream(body: Readable): void {
  body.push(null);
  body.destroy();
}

export function sendEventStream(reply: FastifyReply, body: Readable): FastifyReply {
  return reply
    .type('text/event-stream')
    .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
    .send(body);
}
