import type { ErrorCode, ErrorName } from '../types.ts';
import type { CookieJar } from './cookies.ts';
import type { Deadline, DeadlineOptions } from './deadline.ts';
import { AtriumError } from './error.ts';
import { retryDelayMs } from './retry.ts';

/** Options of every call. */
export interface CallOptions extends DeadlineOptions {
  /** Additional request headers. */
  headers?: Record<string, string> | undefined;
  /** Sends this call in place of the client's own. */
  fetch?: typeof fetch | undefined;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  /** Whether it may run twice. */
  isIdempotent: boolean;
  /** Sends and stores cookies. */
  withCookies?: boolean;
  fetch?: typeof fetch | undefined;
  /** The body of its response is left to be read as it comes. */
  isStream?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface Transport {
  fetch: typeof fetch;
  cookies: CookieJar | undefined;
}

/**
 * Sends a request, and again as `retryDelayMs` says, all within the deadline. A deletion has succeeded when its
 * repetition finds nothing.
 *
 * @throws AtriumError for every response but 2xx and for a missing one
 */
export async function send(
  transport: Transport,
  request: HttpRequest,
  deadline: Deadline,
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(transport, request, deadline);
    } catch (error) {
      deadline.throwIfOver();
      if (!(error instanceof AtriumError)) throw error;
      if (attempt > 1 && request.method === 'DELETE' && error.code === 'not-found') {
        return new Response();
      }
      const delayMs = retryDelayMs(error, attempt, request.isIdempotent);
      if (delayMs === undefined || delayMs >= deadline.remainingMs()) throw error;
      await deadline.race(new Promise((resolve) => setTimeout(resolve, delayMs)));
    }
  }
}

async function attemptOnce(
  transport: Transport,
  request: HttpRequest,
  { signal, lift }: Deadline,
): Promise<HttpResponse> {
  const { method, url, withCookies = false, fetch = transport.fetch } = request;
  const jar = withCookies ? transport.cookies : undefined;
  const headers = new Headers();
  const given = { ...request.headers, cookie: jar?.header() };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, value);
  }
  let body: RequestInit['body'] = null;
  if (request.body instanceof Blob) {
    body = request.body;
  } else if (request.body !== undefined) {
    body = JSON.stringify(request.body);
    headers.set('content-type', 'application/json');
  }
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      signal,
      credentials: withCookies ? 'include' : 'omit',
      body,
    });
    if (request.isStream === true && response.ok) {
      lift();
      return response;
    }
    text = await response.text();
  } catch (cause) {
    throw new AtriumError(0, 'Network Error', 'The service could not be reached', { cause });
  }
  jar?.store(response.headers);
  return read(response, text);
}

function read(response: Response, text: string): HttpResponse {
  const { status, headers } = response;
  let body: unknown = null;
  try {
    if (text !== '') body = JSON.parse(text);
  } catch (cause) {
    // Something between client and service answered.
    if (status < 400) throw failure(response, 'Invalid Response', 'The answer is not JSON', cause);
  }
  if (status < 400) return { status, headers, body };
  const { error, message } = (body ?? {}) as { error?: ErrorName; message?: string };
  throw failure(
    response,
    error ?? 'Invalid Response',
    message ?? `The service answered with status ${status}`,
  );
}

function failure(
  { status, headers }: Response,
  error: ErrorName | 'Invalid Response',
  message: string,
  cause?: unknown,
): AtriumError {
  const code = (headers.get('error-code') ?? undefined) as ErrorCode | undefined;
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'));
  return new AtriumError(status, error, message, { code, requestId, retryAfterMs, cause });
}

/** Seconds or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
