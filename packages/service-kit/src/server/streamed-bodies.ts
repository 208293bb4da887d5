import { badRequest } from '../http-error.ts';
import type { Server } from './server.ts';

/** Bodies of any type, which the handler reads as a stream. */
export function acceptBytes(
  scope: Pick<Server, 'addContentTypeParser' | 'addHook' | 'removeAllContentTypeParsers'>,
): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, isBodyStreamed: true };
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
}

/** The length says how much to count before the content is stored. */
export async function requireLength(request: {
  headers: { 'content-length'?: string | undefined };
}): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > 0) return;
  throw badRequest('Request body is required, with its Content-Length');
}
