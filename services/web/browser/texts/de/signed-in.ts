import type { SignedInTexts } from '../en/signed-in.ts';
import { account } from './account.ts';
import { deviceLogin } from './device-login.ts';
import { home } from './home.ts';
import { links } from './links.ts';
import { notes } from './notes.ts';
import { webhooks } from './webhooks.ts';

export const signedIn: SignedInTexts = { account, deviceLogin, home, links, notes, webhooks };
