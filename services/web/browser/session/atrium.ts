import { createAtrium } from '@atrium/client';
import { addresses } from '../addresses.ts';

/** The four services and the session of this browser. Only with it do the pages reach a service. */
export const atrium = createAtrium({
  authUrl: addresses.auth,
  notesUrl: addresses.notes,
  linksUrl: addresses.links,
  webhooksUrl: addresses.webhooks,
  // So that visitors without a session do not ask for one.
  sessionHint: true,
});
