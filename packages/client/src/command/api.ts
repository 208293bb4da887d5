import { AtriumError } from '../http/error.ts';
import type { CommandSession } from './session.ts';

const TIMEOUT_MS = 10_000;

export type CallApi = <Result>(method: string, url: string, body?: object) => Promise<Result>;

/** Calls a service with the access token; once more when it is refused. */
export function createApiCalls(session: CommandSession): CallApi {
  return async <Result>(method: string, url: string, body?: object): Promise<Result> => {
    const token = await session.accessToken();
    let response = await send(method, url, body, token);
    if (response.status === 401) {
      response = await send(method, url, body, await session.accessToken(token));
    }
    const text = await response.text();
    const answer = text === '' ? {} : JSON.parse(text);
    if (!response.ok) throw new AtriumError(response.status, answer.error, answer.message);
    return answer;
  };
}

async function send(
  method: string,
  url: string,
  body: object | undefined,
  token: string,
): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new AtriumError(0, 'Network Error', 'The service could not be reached', { cause });
  }
}
