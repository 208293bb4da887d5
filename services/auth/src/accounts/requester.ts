import { accountOf } from '@atrium/service-kit/authentication';
import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../audit/entry.ts';
import { originOf } from '../audit/origin.ts';

/** The account and session of an access token, and where the request came from. */
export interface Requester {
  accountId: string;
  sessionId: string;
  origin: RequestOrigin;
}

export function requesterOf(request: FastifyRequest): Requester {
  const { id: accountId, sessionId } = accountOf(request);
  return { accountId, sessionId, origin: originOf(request) };
}
