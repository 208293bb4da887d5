import type { CallOptions } from './send.ts';

/**
 * How a method is sent: HTTP method, path with a parameter in each pair of braces, then
 * - `body`, `query` or `list`: what its next argument is, after the parameters of the path
 * - `public`: needs no session; `cookie`: sends the refresh cookie; `login`: begins a session
 * - `create`: sends an Idempotency-Key; `twice`: may run twice although it is a POST; `ids`: also, if all it sends has ids
 * - `stream`: the result is the body, to be read as it comes
 * - `etag`: the result carries the entity tag; `user`: the result is the current user
 */
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** A route for every method of an API. */
export type Routes<Api> = Record<keyof Api, Route>;

export interface Call {
  method: string;
  path: string;
  words: Set<string>;
  input: unknown;
  options: CallOptions & { idempotencyKey?: string; ifMatch?: string };
}

const INPUTS = ['body', 'query', 'list'];

/** Sorts the arguments of a method into its route. */
export function toCall(route: Route, args: readonly unknown[]): Call {
  const [method = '', template = '', ...words] = route.split(' ');
  const rest = [...args];
  const path = template.replaceAll(/\{\w+\}/g, (name) => segment(name, rest.shift()));
  const input = words.some((word) => INPUTS.includes(word)) ? rest.shift() : undefined;
  const options = rest.shift() ?? {};
  return { method, path, words: new Set(words), input, options };
}

/** An empty or dotted segment would name another route. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
    throw new TypeError(`${name} is missing`);
  }
  return encodeURIComponent(value);
}

/** The methods of an API, each of which hands its arguments on with its route. */
export function createApi<Api>(
  routes: Routes<Api>,
  call: (route: Route, args: readonly unknown[]) => unknown,
): Api {
  const methods = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (...args: unknown[]) => call(route, args),
  ]);
  return Object.fromEntries(methods) as Api;
}
