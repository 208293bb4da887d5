import type { Dispatcher } from 'undici';
import { type AddressLimit, BusyAddressError } from './address-limit.ts';
import { errorText, EXCERPT_MAX_BYTES, excerptOf, headersText } from './answer-text.ts';
import { Connections, type ConnectionsOptions, type Origin } from './connections.ts';
import { Deadlines, Timed } from './deadlines.ts';
import { type Answer, isSuccess } from './outcome.ts';
import { LookupTimeoutError } from '@atrium/service-kit/resolver';

/** This much of a response body is read; its beginning is kept for the owner to see. */
const RESPONSE_READ_MAX_BYTES = 16_384;
/** Informational responses (RFC 9110, section 15.2) that are read before the answer. */
const INFORMATIONAL_MAX = 10;
const BUSY_ORIGIN = 'Too many requests of the account to the origin are in flight';

export interface OutgoingRequest {
  accountId: string;
  url: string;
  /** POST unless named. */
  method?: 'PUT';
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

/** Nothing that the receiver did: the delivery keeps its attempt. */
export interface Postponement {
  kind: 'postponed';
  cause: 'shutdown' | 'lookup' | 'busy';
  reason: string;
}

export interface SendResult {
  answer: Answer | Postponement;
  durationMs: number;
}

/** Sends a request. Never rejects: every fault is an answer, of the receiver or our own. */
export type Send = (request: OutgoingRequest) => Promise<SendResult>;

export interface SenderOptions extends Omit<ConnectionsOptions, 'connectTimeoutMs'> {
  /** One deadline over resolving, connecting, headers and body. */
  timeoutMs: number;
  /** How long a request may wait before that, while its account has its share of the connections to the origin. */
  waitMs: number;
  addressLimit: AddressLimit;
}

/** Opens the sender of a process. Disposal closes every connection and postpones what is in flight. */
export function openSender(options: SenderOptions): AsyncDisposable & { send: Send } {
  const { timeoutMs, waitMs, addressLimit } = options;
  const deadlines = new Deadlines(timeoutMs);
  const waits = new Deadlines(waitMs);
  let isClosing = false;
  const connections = new Connections({ ...options, connectTimeoutMs: timeoutMs });

  return {
    send({ accountId, url, method = 'POST', headers, body }) {
      const { promise, resolve } = Promise.withResolvers<SendResult>();
      const target = connections.to(url, accountId);
      if ('rejection' in target) {
        resolve({ answer: { kind: 'failure', error: target.rejection }, durationMs: 0 });
        return promise;
      }
      const { origin, path } = target;
      new Exchange({
        accountId,
        origin,
        request: { path, method, headers, body },
        waits,
        deadlines,
        addressLimit,
        timeoutMs,
        resolve,
        isClosing: () => isClosing,
      }).enter();
      return promise;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await connections[Symbol.asyncDispose]();
      waits[Symbol.dispose]();
      deadlines[Symbol.dispose]();
    },
  };
}

interface ExchangeOptions {
  accountId: string;
  origin: Origin;
  request: Dispatcher.DispatchOptions;
  waits: Deadlines;
  deadlines: Deadlines;
  addressLimit: AddressLimit;
  timeoutMs: number;
  resolve: (result: SendResult) => void;
  isClosing: () => boolean;
}

/**
 * One request and its answer. Uses undici's dispatch interface because its `request`, with a stream
 * for each body and an AbortSignal for each deadline, costs a third of the throughput.
 */
class Exchange extends Timed implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  /** Unless it still waits. */
  #startedMs: number | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isFinished = false;
  #enteredAddresses: readonly string[] = [];
  #informationalCount = 0;
  #status = 0;
  #retryAfter: string | undefined;
  #headers: string | null = null;
  #chunks: Buffer[] | undefined;
  #receivedBytes = 0;

  constructor(options: ExchangeOptions) {
    super();
    this.#options = options;
  }

  /** Sends it, once its account may use a connection to the origin. */
  enter(): void {
    const { accountId, origin, waits } = this.#options;
    origin.activeCount += 1;
    if (!origin.slots.enter(accountId, this.#start)) waits.start(this, performance.now());
  }

  readonly #start = (): void => {
    const { accountId, origin, request, waits, deadlines } = this.#options;
    waits.end(this);
    this.#startedMs = performance.now();
    deadlines.start(this, this.#startedMs);
    origin.accountId = accountId;
    // Errors of dispatch itself are reported here too, never thrown.
    origin.pool.dispatch(request, this);
  };

  expire(): void {
    if (this.#startedMs === undefined) {
      const { accountId, origin } = this.#options;
      origin.slots.cancel(accountId, this.#start);
      this.#finish({ kind: 'postponed', cause: 'busy', reason: BUSY_ORIGIN });
      return;
    }
    const error = `No complete answer within ${this.#options.timeoutMs} ms`;
    this.#finish({ kind: 'failure', error });
    this.#controller?.abort(new Error(error));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while its connection was opened: it must not be sent. Unlike an
    // abort, an error thrown here leaves the connection to the requests behind it.
    if (this.#isFinished) throw new Error('Past its deadline');
    const { accountId, addressLimit, origin } = this.#options;
    if (!addressLimit.enter(origin.limitedAddresses, accountId)) {
      throw new BusyAddressError();
    }
    this.#enteredAddresses = origin.limitedAddresses;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 && ++this.#informationalCount > INFORMATIONAL_MAX) {
      const error = `More than ${INFORMATIONAL_MAX} informational responses came before the answer`;
      this.#finish({ kind: 'failure', error });
      controller.abort(new Error(error));
      return;
    }
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
    if (!isSuccess(status)) this.#headers = headersText(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#receivedBytes < EXCERPT_MAX_BYTES) (this.#chunks ??= []).push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > RESPONSE_READ_MAX_BYTES) {
      // The status has decided; the rest of an endless body is not worth a connection.
      this.#finishWithResponse();
      controller.abort(new Error('The response is longer than is read'));
    }
  }

  onResponseEnd(): void {
    this.#finishWithResponse();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#options.isClosing()) {
      this.#finish({ kind: 'postponed', cause: 'shutdown', reason: 'The worker was stopped' });
      return;
    }
    // undici asserts that a status is possible, in words that only its authors understand.
    const isStatusImpossible = 'code' in error && error.code === 'ERR_ASSERTION';
    const status = String(this.#status).padStart(3, '0');
    const impossible = `The response has status ${status}, which is not valid here`;
    this.#finish(isStatusImpossible ? { kind: 'failure', error: impossible } : faultOf(error));
  }

  #finishWithResponse(): void {
    this.#finish({
      kind: 'response',
      status: this.#status,
      retryAfter: this.#retryAfter,
      headers: this.#headers,
      excerpt: this.#chunks === undefined ? null : excerptOf(this.#chunks, this.#status),
    });
  }

  #finish(answer: SendResult['answer']): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#chunks = undefined;
    const { accountId, origin, deadlines, addressLimit, resolve } = this.#options;
    const nowMs = performance.now();
    deadlines.end(this);
    addressLimit.leave(this.#enteredAddresses, accountId);
    this.#enteredAddresses = [];
    origin.activeCount -= 1;
    origin.lastUsedMs = nowMs;
    if (this.#startedMs !== undefined) origin.slots.leave(accountId);
    resolve({ answer, durationMs: Math.round(nowMs - (this.#startedMs ?? nowMs)) });
  }
}

/** What an error means that came instead of an answer. */
export function faultOf(error: Error): SendResult['answer'] {
  const { message: reason } = error;
  if (error instanceof LookupTimeoutError) return { kind: 'postponed', cause: 'lookup', reason };
  if (error instanceof BusyAddressError) return { kind: 'postponed', cause: 'busy', reason };
  return { kind: 'failure', error: errorText(error) };
}
