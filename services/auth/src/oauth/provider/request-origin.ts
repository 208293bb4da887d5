import type { IncomingMessage } from 'node:http';
import type { RequestOrigin } from '../../audit/entry.ts';

/** Where the requests that the provider answers come from, as our server has found out. */
const origins = new WeakMap<IncomingMessage, RequestOrigin>();

export function rememberOrigin(request: IncomingMessage, origin: RequestOrigin): void {
  origins.set(request, origin);
}

export function originOfContext(ctx: { req: IncomingMessage }): RequestOrigin | null {
  return origins.get(ctx.req) ?? null;
}
