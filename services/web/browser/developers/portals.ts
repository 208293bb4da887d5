import { createPortals } from '@atrium/client/portals';
import { atrium } from '../session/atrium.ts';

/** The products of the account, and what their customers see. */
export const portals = createPortals(atrium);

/**
 * The portals with a logo that is replaced or removed show the next one: its URL is gone.
 *
 * @param without the namespaces of the portals that have lost their logo to a removal
 * @returns the namespaces of the portals that were changed
 */
export async function changePortalLogos(
  former: string | null,
  logo: string | null,
  without: readonly string[],
): Promise<string[]> {
  const changed: string[] = [];
  if (former === null && without.length === 0) return changed;
  const { data } = await portals.listPortals();
  for (const { namespace, portal } of data) {
    if (portal === null) continue;
    const hadIt = portal.logo === null ? without.includes(namespace) : portal.logo === former;
    if (!hadIt) continue;
    const { name, colour, origins } = portal;
    await portals.putPortal(namespace, { name, colour, logo, origins });
    changed.push(namespace);
  }
  return changed;
}
