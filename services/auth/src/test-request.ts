import type { Server } from '@atrium/service-kit/server';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
  /** `set-cookie` lines by the cookie's name. */
  cookies: Record<string, string>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call {
  body?: object;
  token?: string;
  cookies?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Sends one request to a server that need not listen. */
export async function inject(
  server: Server,
  method: Method,
  url: string,
  { body, token, cookies, headers = {} }: Call = {},
): Promise<Answer> {
  const response = await server.inject({
    method,
    url,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(cookies === undefined ? {} : { cookies }),
    ...(body === undefined ? {} : { payload: body }),
  });
  const lines = [response.headers['set-cookie'] ?? []].flat();
  return {
    status: response.statusCode,
    body: response.body === '' ? {} : JSON.parse(response.body),
    headers: response.headers,
    cookies: Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line])),
  };
}
