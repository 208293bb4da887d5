import type { SignedInTexts } from '../en/signed-in.ts';
import { account } from './account.ts';
import { activity } from './activity.ts';
import { attachments } from './attachments.ts';
import { archives } from './archives.ts';
import { controls } from './controls.ts';
import { deliveries } from './deliveries.ts';
import { deviceLogin } from './device-login.ts';
import { events } from './events.ts';
import { history } from './history.ts';
import { home } from './home.ts';
import { links } from './links.ts';
import { listing } from './listing.ts';
import { members } from './members.ts';
import { notes } from './notes.ts';
import { operator } from './operator.ts';
import { organising } from './organising.ts';
import { presence } from './presence.ts';
import { sharing } from './sharing.ts';
import { trash } from './trash.ts';
import { verification } from './verification.ts';
import { webhooks } from './webhooks.ts';

export const signedIn: SignedInTexts = {
  ...controls,
  account,
  activity,
  attachments,
  archives,
  deliveries,
  deviceLogin,
  events,
  history,
  home,
  links,
  listing,
  members,
  notes,
  operator,
  organising,
  presence,
  sharing,
  trash,
  verification,
  webhooks,
};
