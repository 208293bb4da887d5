import { createAtrium } from '@atrium/client';
import { serviceUrls } from '../platform/service-urls.ts';
import { isPortal, portalAccess } from '../platform/portal.ts';
import { loadErrorsIfShown } from '../texts/de/load-errors.ts';

/** The four services and the session of this browser. Only with it do the pages reach a service. */
export const atrium = createAtrium({
  authUrl: serviceUrls.auth,
  notesUrl: serviceUrls.notes,
  linksUrl: serviceUrls.links,
  webhooksUrl: serviceUrls.webhooks,
  // So that visitors without a session do not ask for one.
  sessionHint: true,
  accessToken: isPortal ? () => portalAccess.token : undefined,
  fetch: async (...request) => {
    const response = await fetch(...request);
    if (response.status >= 400) await loadErrorsIfShown();
    return response;
  },
});

/** Also as long as that is not known. */
export function mayBeSignedIn(): boolean {
  const { isInitializing, user } = atrium.session.getState();
  return isInitializing || user !== null;
}
