import type { SignedInTexts } from '../en/signed-in.ts';
import { activity } from './activity.ts';
import { attachments } from './attachments.ts';
import { archives } from './archives.ts';
import { controls } from './controls.ts';
import { history } from './history.ts';
import { home } from './home.ts';
import { listing } from './listing.ts';
import { members } from './members.ts';
import { notes } from './notes.ts';
import { organising } from './organising.ts';
import { plan } from './plan.ts';
import { presence } from './presence.ts';
import { sharing } from './sharing.ts';
import { shell } from './shell.ts';
import { trash } from './trash.ts';
import { tree } from './tree.ts';

export const signedIn: SignedInTexts = {
  ...controls,
  activity,
  attachments,
  archives,
  history,
  home,
  listing,
  members,
  notes,
  organising,
  plan,
  presence,
  sharing,
  shell,
  trash,
  tree,
};
