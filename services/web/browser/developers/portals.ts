import { createPortals } from '@atrium/client/portals';
import { applications } from '../session/applications.ts';
import { atrium } from '../session/atrium.ts';

/** The products of the account, and what their customers see. */
export const portals = createPortals(atrium);

/**
 * The portals with a logo that is replaced or removed show the next one: its URL is gone. Those without a logo show the
 * first one of an account's only application; with several, nothing tells whose portals they are.
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
  const isOnly = former === null && (await applications.listApplications()).data.length === 1;
  const { data } = await portals.listPortals();
  for (const { namespace, portal } of data) {
    if (portal === null) continue;
    const showsNext =
      portal.logo === null ? isOnly || without.includes(namespace) : portal.logo === former;
    if (!showsNext) continue;
    const { name, colour, origins } = portal;
    await portals.putPortal(namespace, { name, colour, logo, origins });
    changed.push(namespace);
  }
  return changed;
}
