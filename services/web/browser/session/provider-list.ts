import type { LoginProviders } from '@atrium/client';
import { serviceUrls } from '../platform/service-urls.ts';

/** Without the client's part for it, so that an Atrium without providers loads nothing more of them. */
export async function listLoginProviders(): Promise<LoginProviders> {
  const response = await fetch(`${serviceUrls.auth}/auth/providers`);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}
