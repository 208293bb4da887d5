import type { Authenticator } from '@atrium/service-kit/authentication';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { originOf } from '../../audit/origin.ts';
import type { LinkCredentials } from './proof.ts';

/** Why a link of an email is rejected, beside an invalid access token. */
export const LINK_CODES = [
  'password-wrong',
  'session-ended',
  'proof-required',
  'email-token-invalid',
] as const;

/** Authenticates a request with an access token, which must then be valid; without one it passes. */
export function authenticateIfGiven({ authenticate }: Authenticator): onRequestHookHandler {
  return function (request, reply, done) {
    if (request.headers.authorization === undefined) {
      done();
    } else {
      authenticate.call(this, request, reply, done);
    }
  };
}

export function linkCredentialsOf(
  request: FastifyRequest,
  { password }: { password?: string },
): LinkCredentials {
  const { account } = request;
  const session = account && { accountId: account.id, sessionId: account.sessionId };
  return { session, password, origin: originOf(request) };
}
