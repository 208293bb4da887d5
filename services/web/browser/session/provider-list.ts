import type { LoginProviders } from '@atrium/client';
import { addresses } from '../platform/addresses.ts';

/** Without the client's part for it, so that an Atrium without providers loads nothing more of them. */
export async function listLoginProviders(): Promise<LoginProviders> {
  const response = await fetch(`${addresses.auth}/auth/providers`);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}
