import { createLoginProviders } from '@atrium/client/login-providers';
import { atrium } from './atrium.ts';

/** Logging in with an account of somebody else. */
export const loginProviders = createLoginProviders(atrium);
