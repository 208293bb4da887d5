import type { Dispatcher } from 'undici';
import type { Origin } from './connections.ts';
import { type Deadlines, Timed } from './deadlines.ts';
import type { Answer } from './outcome.ts';

/** Of an answer's body this much is read; its beginning is kept for the owner to see. */
const RESPONSE_READ_MAX_BYTES = 16_384;
const EXCERPT_MAX_CHARACTERS = 1_024;
/** No character takes more than four bytes in UTF-8. */
const EXCERPT_MAX_BYTES = 4 * EXCERPT_MAX_CHARACTERS;
const ERROR_MAX_CHARACTERS = 300;

export interface Sent {
  answer: Answer;
  durationMs: number;
}

export interface ExchangeOptions {
  origin: Origin;
  deadlines: Deadlines;
  timeoutMs: number;
  settle: (sent: Sent) => void;
}

/**
 * One request and its answer. Undici's dispatch interface is used directly because its `request`, with
 * a stream for each body and an AbortSignal for each deadline, costs a third of the throughput.
 */
export class Exchange extends Timed implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #startedMs = performance.now();
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #retryAfter: string | undefined;
  #chunks: Buffer[] | undefined;
  #receivedBytes = 0;

  constructor(options: ExchangeOptions) {
    super();
    this.#options = options;
    options.origin.active += 1;
    options.deadlines.start(this, this.#startedMs);
  }

  expire(): void {
    const error = `No complete answer within ${this.#options.timeoutMs} ms`;
    this.#finish({ kind: 'failure', timedOut: true, error });
    this.#controller?.abort(new Error(error));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while this request still waited for its connection: it must not go out.
    // Unlike an abort, an error thrown here leaves the connection to the requests behind it.
    if (this.#settled) throw new Error('Past its deadline');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#receivedBytes < EXCERPT_MAX_BYTES) (this.#chunks ??= []).push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > RESPONSE_READ_MAX_BYTES) {
      // The status has decided; the rest of an endless body is not worth a connection.
      this.#finishWithResponse();
      controller.abort(new Error('The answer is longer than is read'));
    }
  }

  onResponseEnd(): void {
    this.#finishWithResponse();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish({ kind: 'failure', timedOut: isConnectTimeout(error), error: errorText(error) });
  }

  #finishWithResponse(): void {
    this.#finish({
      kind: 'response',
      status: this.#status,
      retryAfter: this.#retryAfter,
      excerpt: this.#chunks === undefined ? null : excerptOf(this.#chunks),
    });
  }

  #finish(answer: Answer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#chunks = undefined;
    const { origin, deadlines, settle } = this.#options;
    const nowMs = performance.now();
    deadlines.end(this);
    origin.active -= 1;
    origin.lastUsedMs = nowMs;
    settle({ answer, durationMs: Math.round(nowMs - this.#startedMs) });
  }
}

/** Postgres holds no NUL in text, and a cut may fall inside a character. */
function storable(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replaceAll('\0', '\uFFFD').toWellFormed();
}

function excerptOf(chunks: Buffer[]): string {
  const [first] = chunks;
  const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
  return storable(bytes.toString('utf8', 0, EXCERPT_MAX_BYTES), EXCERPT_MAX_CHARACTERS);
}

function isConnectTimeout(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT';
}

function errorText(error: Error): string {
  // Connecting to several addresses fails with an AggregateError whose own message is empty.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return storable(text || error.name, ERROR_MAX_CHARACTERS);
}
