import { type DeadlineOptions, startDeadline } from '../http/deadline.ts';
import { isUnauthorized } from '../http/error.ts';
import { type HttpRequest, type HttpResponse, send } from '../http/send.ts';
import type { CommandSession } from './session.ts';

const TIMEOUT_MS = 10_000;

interface CallOptions {
  headers?: Record<string, string>;
  /** Whether it may run twice; it may not by default. */
  isIdempotent?: boolean;
  /** 10,000 by default. */
  timeoutMs?: number;
}

export type CallApi = <Result>(
  method: string,
  url: string,
  body?: object,
  options?: CallOptions,
) => Promise<Result>;

/** Sends a request with the access token, and repeats it with a new token if the first one is rejected. */
export async function sendAuthorized(
  session: Pick<CommandSession, 'accessToken'>,
  request: HttpRequest,
  options: DeadlineOptions,
): Promise<HttpResponse> {
  const sendWith = (token: string) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const transport = { fetch, cookies: undefined };
    return send(
      transport,
      { ...request, headers },
      startDeadline(options, request.body instanceof Blob),
    );
  };
  const token = await session.accessToken();
  try {
    return await sendWith(token);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    return sendWith(await session.accessToken(token));
  }
}

/**
 * Calls services with the access token.
 *
 * @param signal ends every call
 */
export function createApiCalls(
  session: Pick<CommandSession, 'accessToken'>,
  signal?: AbortSignal,
): CallApi {
  return async <Result>(
    method: string,
    url: string,
    body?: object,
    { headers = {}, isIdempotent = false, timeoutMs = TIMEOUT_MS }: CallOptions = {},
  ): Promise<Result> => {
    const request = { method, url, body, headers, isIdempotent };
    const response = await sendAuthorized(session, request, { deadlineMs: timeoutMs, signal });
    return response.body as Result;
  };
}
