import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { newUuid } from '@atrium/contracts/ids';
import { isbot } from 'isbot';
import Type, { type Static } from 'typebox';

/** A click on a short link, as it is kept in the journal until it is stored. */
export const Click = Type.Object({
  id: Type.String({ format: 'uuid' }),
  linkId: Type.String(),
  ownerId: Type.String(),
  slug: Type.String(),
  url: Type.String(),
  clickedAtMs: Type.Integer(),
  isBot: Type.Boolean(),
  referrer: Type.Union([Type.String(), Type.Null()]),
  userAgent: Type.Union([Type.String(), Type.Null()]),
  requestId: Type.String(),
  traceparent: Type.Optional(Type.String()),
});
export type Click = Static<typeof Click>;

const USER_AGENT_MAX_LENGTH = 512;
const REFERRER_MAX_LENGTH = 512;

/** Bots name themselves or send no user agent; a browser that preloads a page says so. */
function isPerson(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'];
  if (/prefetch|prerender|preview/i.test(String(purpose))) return false;
  const userAgent = headers['user-agent'];
  return userAgent !== undefined && userAgent !== '' && !isbot(userAgent);
}

/** A slice would keep the whole string in memory; this one is a string of its own. */
function copyStart(text: string | undefined, lengthMax: number): string | null {
  return text === undefined ? null : Buffer.from(text.slice(0, lengthMax)).toString();
}

export function readClick(followed: {
  target: { slug: string; linkId: string; ownerId: string; url: string };
  request: { id: string; headers: IncomingHttpHeaders; raw?: Pick<IncomingMessage, 'trace'> };
  clickedAtMs: number;
}): Click {
  const { target, request, clickedAtMs } = followed;
  const { slug, linkId, ownerId, url } = target;
  const traceparent = request.raw?.trace?.traceparentFor(ownerId);
  const { referer, 'user-agent': userAgent } = request.headers;
  return {
    id: newUuid(clickedAtMs),
    linkId,
    ownerId,
    slug,
    url,
    clickedAtMs,
    isBot: !isPerson(request.headers),
    referrer: copyStart(referer, REFERRER_MAX_LENGTH),
    userAgent: copyStart(userAgent, USER_AGENT_MAX_LENGTH),
    requestId: request.id,
    ...(traceparent !== undefined && { traceparent }),
  };
}
