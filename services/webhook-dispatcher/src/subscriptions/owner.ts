import { accountOf } from '@atrium/service-kit/authentication';

/** Whose subscriptions a request may find. */
export interface Owner {
  accountId: string;
  /** In a portal: only those that have never asked for events of other products. Null for all. */
  namespace: string | null;
}

export const ownerOf = (request: Parameters<typeof accountOf>[0]): Owner => ({
  accountId: accountOf(request).id,
  namespace: request.portal,
});
