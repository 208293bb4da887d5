/** The sender of a request: a browser, logged in or not. */
export interface Person {
  userAgent: string;
  accessToken?: string;
  /** By name, as a browser keeps them. */
  cookies?: Map<string, string>;
}

const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Sends one request.
 * @throws Error with the response when its status is not the expected one
 */
export async function request(
  person: Person,
  method: string,
  url: string,
  expectedStatus: number,
  body?: Record<string, unknown>,
): Promise<{ body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    headers: {
      'user-agent': person.userAgent,
      ...(person.accessToken !== undefined && { authorization: `Bearer ${person.accessToken}` }),
      ...(person.cookies !== undefined && { cookie: cookieHeader(person.cookies) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  for (const line of response.headers.getSetCookie()) keepCookie(person, line);
  const text = await response.text();
  if (response.status !== expectedStatus) {
    const what = `${method} ${url} answered ${response.status} instead of ${expectedStatus}`;
    throw new Error(`${what}: ${text}`);
  }
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const parsed = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { body: parsed, headers: response.headers };
}

const cookieHeader = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function keepCookie({ cookies }: Person, line: string): void {
  const [name = '', value = ''] = line.split(';', 1)[0]?.split(/=(.*)/s) ?? [];
  cookies?.set(name, value);
}

/** A string field of an answer. */
export function field(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`The answer has no text "${name}".`);
  return value;
}
