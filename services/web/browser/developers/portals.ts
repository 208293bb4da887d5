import { createPortals } from '@atrium/client/portals';
import { atrium } from '../session/atrium.ts';

/** The products of the account, and what their customers see. */
export const portals = createPortals(atrium);

/** The portals with a logo that is replaced or removed show the next one: its URL is gone. */
export async function changePortalLogos(former: string | null, logo: string | null): Promise<void> {
  if (former === null) return;
  const { data } = await portals.listPortals();
  for (const { namespace, portal } of data) {
    if (portal?.logo !== former) continue;
    const { name, colour, origins } = portal;
    await portals.putPortal(namespace, { name, colour, logo, origins });
  }
}
