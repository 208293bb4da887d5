import { PORTALS_ROUTES, type PortalsApi } from './api/portals.ts';
import type { Atrium } from './index.ts';

export type { PortalsApi } from './api/portals.ts';

/**
 * For products that open the webhooks of their customers.
 * @example
 * const { createPortalSession } = createPortals(atrium);
 * const { url } = await createPortalSession({ namespace: 'shop', accountId: 'usr_…' });
 */
export function createPortals({ callsOf }: Atrium): PortalsApi {
  return callsOf('webhooks', PORTALS_ROUTES);
}
