import type { ApplicationProfile } from '@atrium/contracts/auth/authorization';
import { logoUrl } from '../../accounts/avatar/store.ts';

/** What `profileOf` needs. */
export const PROFILE_FIELDS = {
  id: true,
  name: true,
  homePage: true,
  logo: { select: { id: true } },
  isFirstParty: true,
  account: { select: { name: true } },
} as const;

interface ProfileRow extends Omit<ApplicationProfile, 'owner' | 'logo'> {
  account: { name: string } | null;
  logo: { id: string } | null;
}

/** What people are shown of an application. */
export function profileOf(
  { account, logo, ...profile }: ProfileRow,
  authUrl: string,
): ApplicationProfile {
  return { ...profile, logo: logoUrl(logo, authUrl), owner: account?.name ?? 'Atrium' };
}
