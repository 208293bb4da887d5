import { REFRESH_COOKIE, REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';

const DEVICE_COOKIE = 'device';
/** 400 days, the longest that browsers keep a cookie (RFC 6265bis section 5.5). */
const DEVICE_TTL_SECONDS = 34_560_000;

/** Secure also over http: browsers treat localhost as secure, and elsewhere there is TLS. */
const ATTRIBUTES = { path: '/auth', httpOnly: true, secure: true, sameSite: 'lax' } as const;

export function readRefreshCookie(request: FastifyRequest): string | undefined {
  return request.cookies[REFRESH_COOKIE];
}

export function setRefreshCookie(reply: FastifyReply, token: string): void {
  reply.setCookie(REFRESH_COOKIE, token, { ...ATTRIBUTES, maxAge: REFRESH_TOKEN_TTL_SECONDS });
}

export function clearRefreshCookie(reply: FastifyReply): void {
  reply.setCookie(REFRESH_COOKIE, '', { ...ATTRIBUTES, maxAge: 0 });
}

export function readDeviceCookie(request: FastifyRequest): string | undefined {
  return request.cookies[DEVICE_COOKIE];
}

/** Both cookies of a login. Its answer must not be kept by anybody else. */
export function setSessionCookies(
  reply: FastifyReply,
  session: { refreshToken: string; deviceCookie: string },
): void {
  setRefreshCookie(reply, session.refreshToken);
  setDeviceCookie(reply, session.deviceCookie);
  reply.header('cache-control', 'no-store');
}

function setDeviceCookie(reply: FastifyReply, value: string): void {
  reply.setCookie(DEVICE_COOKIE, value, { ...ATTRIBUTES, maxAge: DEVICE_TTL_SECONDS });
}
