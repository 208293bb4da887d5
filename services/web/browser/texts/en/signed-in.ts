import { account } from './account.ts';
import { deviceLogin } from './device-login.ts';
import { home } from './home.ts';
import { webhooks } from './webhooks.ts';

/** The texts of the pages that need a session. */
export const signedIn = { account, deviceLogin, home, webhooks };

export type SignedInTexts = typeof signedIn;
