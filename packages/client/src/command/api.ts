import { startDeadline } from '../http/deadline.ts';
import { isUnauthorized } from '../http/error.ts';
import { send } from '../http/send.ts';
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

/**
 * Calls a service with the access token; once more when it is refused.
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
    const transport = { fetch, cookies: undefined };
    const sendWith = async (token: string) => {
      const given = { ...headers, authorization: `Bearer ${token}` };
      const request = { method, url, body, headers: given, isIdempotent };
      const deadline = startDeadline({ deadlineMs: timeoutMs, signal });
      const response = await send(transport, request, deadline);
      return response.body as Result;
    };
    const token = await session.accessToken();
    try {
      return await sendWith(token);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      return sendWith(await session.accessToken(token));
    }
  };
}
