import { account } from './account.ts';
import { deviceLogin } from './device-login.ts';
import { home } from './home.ts';
import { links } from './links.ts';
import { notes } from './notes.ts';
import { webhooks } from './webhooks.ts';

/** The texts of the pages that need a session. */
export const signedIn = { account, deviceLogin, home, links, notes, webhooks };

export type SignedInTexts = typeof signedIn;
