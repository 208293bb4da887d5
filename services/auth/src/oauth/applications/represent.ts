import type { Application } from '@atrium/contracts/auth/applications';
import { logoUrl } from '../../accounts/avatar/store.ts';
import type { StoredApplication } from './store.ts';

export function representApplication(
  { createdAt, secrets, logo, ...application }: StoredApplication,
  authUrl: string,
): Application {
  return {
    ...application,
    logo: logoUrl(logo, authUrl),
    secrets: secrets.map((secret) => ({
      ...secret,
      createdAt: secret.createdAt.toISOString(),
    })),
    createdAt: createdAt.toISOString(),
  };
}
