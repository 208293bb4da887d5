export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON body; an empty object when there is none. */
  body: Record<string, unknown>;
}

export interface RequestOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const REQUEST_TIMEOUT_MS = 60_000;

/** Sends a JSON request; redirects are not followed. */
export async function call(
  method: string,
  url: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  const init: RequestInit = {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
  if (options.body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(options.body);
  }
  const response = await fetch(url, init);
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body };
}

/** A string field of a body; a failed expectation names the field. */
export function text(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw new TypeError(`${field} is not a string: ${String(value)}`);
  return value;
}

/** The value of a cookie that a response sets, without its attributes. */
export function cookieOf(response: ApiResponse, name: string): string {
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
  if (cookie === undefined) throw new Error(`the response sets no cookie ${name}`);
  return cookie.slice(name.length + 1).split(';', 1)[0] ?? '';
}
