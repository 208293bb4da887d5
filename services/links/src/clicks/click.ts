import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
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
});
export type Click = Static<typeof Click>;

const USER_AGENT_MAX_LENGTH = 512;
const REFERRER_MAX_LENGTH = 2048;

/** Bots name themselves or send no user agent; a browser that preloads a page says so. */
function isPerson(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'];
  if (/prefetch|prerender|preview/i.test(String(purpose))) return false;
  const userAgent = headers['user-agent'];
  return userAgent !== undefined && userAgent !== '' && !isbot(userAgent);
}

export function readClick(followed: {
  slug: string;
  target: { linkId: string; ownerId: string; url: string };
  request: { id: string; headers: IncomingHttpHeaders };
  clickedAtMs: number;
}): Click {
  const { slug, target, request, clickedAtMs } = followed;
  const { referer, 'user-agent': userAgent } = request.headers;
  return {
    id: randomUUID(),
    ...target,
    slug,
    clickedAtMs,
    isBot: !isPerson(request.headers),
    referrer: referer?.slice(0, REFERRER_MAX_LENGTH) ?? null,
    userAgent: userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null,
    requestId: request.id,
  };
}
