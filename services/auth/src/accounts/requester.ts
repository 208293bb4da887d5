import { accountOf } from '@atrium/service-kit/authentication';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../audit/origin.ts';
import { readDeviceCookie, readRefreshCookie } from '../sessions/cookies.ts';
import { recogniseDevice } from '../sessions/device.ts';
import { isRefreshToken } from '../sessions/refresh-token.ts';
import type { SessionWish } from '../sessions/start-session.ts';
import type { OwnerClaim } from '../second-factor/challenges/re-authentication.ts';

/** Who asks for a change of factors, as the access token says. */
export function claimOf(request: FastifyRequest): OwnerClaim {
  const { id: accountId, sessionId } = accountOf(request);
  return { accountId, sessionId, origin: originOf(request) };
}

/** Where a login comes from that ends in this request. */
export function clientOf(
  keyRing: KeyRing,
  request: FastifyRequest,
): Omit<SessionWish, 'account' | 'nowMs'> {
  const cookie = readDeviceCookie(request);
  const refreshToken = readRefreshCookie(request);
  return {
    device: recogniseDevice(keyRing, { cookie, userAgent: request.headers['user-agent'] }),
    ipAddress: request.ip,
    requestId: request.id,
    replacedToken: isRefreshToken(refreshToken) ? refreshToken : undefined,
  };
}
