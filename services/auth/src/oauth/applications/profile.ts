import type { ApplicationProfile } from '@atrium/contracts/auth/authorization';

/** What `profileOf` needs. */
export const PROFILE_FIELDS = {
  id: true,
  name: true,
  homePage: true,
  isFirstParty: true,
  account: { select: { name: true } },
} as const;

/** What people are shown of an application. */
export function profileOf({
  account,
  ...profile
}: Omit<ApplicationProfile, 'owner'> & { account: { name: string } | null }): ApplicationProfile {
  return { ...profile, owner: account?.name ?? 'Atrium' };
}
