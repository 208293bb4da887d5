import { accountOf } from '@atrium/service-kit/authentication';
import type { FastifyRequest } from 'fastify';

/** Whose subscriptions a request may find. */
export interface Owner {
  accountId: string;
  /** In a portal: only those that have never asked for events of other products. Null for all. */
  namespace: string | null;
}

export const ownerOf = (request: FastifyRequest): Owner => ({
  accountId: accountOf(request).id,
  namespace: request.portal,
});
