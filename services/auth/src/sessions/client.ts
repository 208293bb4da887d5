import { REFRESH_COOKIE, REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth/accounts';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../audit/entry.ts';
import { originOf } from '../audit/origin.ts';
import { identifyDevice, type RequestDevice } from '../devices/device.ts';
import { isRefreshToken } from './refresh-token.ts';

const DEVICE_COOKIE = 'device';
/** 400 days, the longest that browsers keep a cookie (RFC 6265bis section 5.5). */
const DEVICE_TTL_SECONDS = 34_560_000;

/** Secure also over http: browsers treat localhost as secure, and elsewhere there is TLS. */
const ATTRIBUTES = { path: '/auth', httpOnly: true, secure: true, sameSite: 'lax' } as const;

/** Where a login comes from. */
export interface Client {
  device: RequestDevice;
  origin: RequestOrigin;
  /** The refresh token that the request carried: its session is replaced. */
  replacedToken: string | undefined;
}

export type ClientOf = (request: FastifyRequest) => Client;

export function clientOf(keyRing: KeyRing, request: FastifyRequest): Client {
  const cookie = request.cookies[DEVICE_COOKIE];
  return {
    device: identifyDevice(keyRing, { cookie, userAgent: request.headers['user-agent'] }),
    origin: originOf(request),
    replacedToken: readRefreshToken(request),
  };
}

/** The refresh cookie; undefined when it is missing or malformed. */
export function readRefreshToken(request: FastifyRequest): string | undefined {
  const token = request.cookies[REFRESH_COOKIE];
  return isRefreshToken(token) ? token : undefined;
}

export function setRefreshCookie(reply: FastifyReply, token: string): void {
  reply.setCookie(REFRESH_COOKIE, token, { ...ATTRIBUTES, maxAge: REFRESH_TOKEN_TTL_SECONDS });
}

export function clearRefreshCookie(reply: FastifyReply): void {
  reply.setCookie(REFRESH_COOKIE, '', { ...ATTRIBUTES, maxAge: 0 });
}

export function setDeviceCookie(reply: FastifyReply, value: string): void {
  reply.setCookie(DEVICE_COOKIE, value, { ...ATTRIBUTES, maxAge: DEVICE_TTL_SECONDS });
}
