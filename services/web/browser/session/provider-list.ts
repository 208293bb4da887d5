import type { LoginProviders } from '@atrium/client';
import { atrium } from './atrium.ts';

/** Alone, so that an Atrium without providers loads nothing more of them. */
export const { listLoginProviders } = atrium.callsOf<{
  listLoginProviders: () => Promise<LoginProviders>;
}>('auth', { listLoginProviders: 'GET /auth/providers public' });
