import { performance } from 'node:perf_hooks';
import type { Agent, Dispatcher } from 'undici';
import { type AddressGuard, literalAddress } from './egress.ts';
import type { Answer } from './outcome.ts';

/** Of an answer's body this much is read; its beginning is kept for the owner to see. */
const RESPONSE_READ_MAX_BYTES = 16_384;
const EXCERPT_MAX_CHARACTERS = 1_024;
const ERROR_MAX_CHARACTERS = 300;

export interface OutgoingRequest {
  url: string;
  headers: string[];
  body: Buffer;
}

export interface Sent {
  answer: Answer;
  durationMs: number;
}

export type Send = (request: OutgoingRequest) => Promise<Sent>;

export interface SenderOptions {
  agent: Agent;
  guard: AddressGuard;
  allowHttp: boolean;
  /** One deadline over connect, headers and body. */
  timeoutMs: number;
}

/** Sends by POST and always answers: every fault of the receiver or the network is an Answer. */
export function createSender({ agent, guard, allowHttp, timeoutMs }: SenderOptions): Send {
  return (request) => {
    const { promise, resolve } = Promise.withResolvers<Sent>();
    const startedMs = performance.now();
    const settle = (answer: Answer) =>
      resolve({ answer, durationMs: Math.round(performance.now() - startedMs) });
    const url = URL.parse(request.url);
    const refusal = url === null ? 'The address is not a URL' : refusalOf(url, guard, allowHttp);
    if (url === null || refusal !== undefined) {
      settle({ kind: 'failure', timedOut: false, error: refusal ?? '' });
      return promise;
    }
    const exchange = new Exchange(settle, timeoutMs);
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
    };
    try {
      agent.dispatch(options, exchange);
    } catch (error) {
      exchange.onResponseError(undefined, error instanceof Error ? error : new Error('Not sent'));
    }
    return promise;
  };
}

/** A literal address never reaches the agent's lookup, so it is checked here, and the scheme too. */
function refusalOf(url: URL, guard: AddressGuard, allowHttp: boolean): string | undefined {
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return 'The address does not use https';
  }
  const literal = literalAddress(url);
  if (literal !== undefined && !guard(literal)) {
    return 'The host has a private or reserved address';
  }
  return undefined;
}

/**
 * One request and its answer. Undici's dispatch interface is used directly because an AbortSignal
 * with a timeout per request costs a third of the throughput.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (answer: Answer) => void;
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #retryAfter: string | undefined;
  #chunks: Buffer[] = [];
  #receivedBytes = 0;

  constructor(settle: (answer: Answer) => void, timeoutMs: number) {
    this.#settle = settle;
    this.#deadline = setTimeout(() => {
      const error = `No complete answer within ${timeoutMs} ms`;
      this.#finish({ kind: 'failure', timedOut: true, error });
      this.#controller?.abort(new Error(error));
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while this request still waited for its connection: it must not go out.
    if (this.#settled) controller.abort(new Error('Past its deadline'));
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
    if (this.#receivedBytes < RESPONSE_READ_MAX_BYTES) this.#chunks.push(chunk);
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

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#finish({ kind: 'failure', timedOut: isConnectTimeout(error), error: errorText(error) });
  }

  #finishWithResponse(): void {
    const excerpt = excerptOf(this.#chunks);
    const response = { status: this.#status, retryAfter: this.#retryAfter, excerpt };
    this.#finish({ kind: 'response', ...response });
  }

  #finish(answer: Answer): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#settle(answer);
  }
}

/** Postgres holds no NUL in text, and a cut may fall inside a character. */
function storable(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replaceAll('\0', '\uFFFD').toWellFormed();
}

function excerptOf(chunks: readonly Buffer[]): string | null {
  if (chunks.length === 0) return null;
  return storable(Buffer.concat(chunks).toString('utf8'), EXCERPT_MAX_CHARACTERS);
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
