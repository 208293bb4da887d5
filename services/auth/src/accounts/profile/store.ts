import type { UpdateProfileBody } from '@atrium/contracts/profile';
import type { Sql } from '@atrium/service-kit/database';

export interface ProfileOwner {
  accountId: string;
  sessionId: string;
}

/** Writes the fields that are given. Each is named here: nothing else can be changed this way. */
export async function updateProfile(
  tx: Sql,
  { accountId, changes, nowMs }: { accountId: string; changes: UpdateProfileBody; nowMs: number },
): Promise<void> {
  const { name, username, bio, avatar, profileLinks } = changes;
  await tx.query(
    `UPDATE accounts
     SET name = coalesce($2, name),
         username = coalesce($3, username),
         bio = coalesce($4, bio),
         avatar = CASE WHEN $5 THEN $6 ELSE avatar END,
         profile_links = coalesce($7::jsonb, profile_links),
         updated_at = $8
     WHERE id = $1`,
    [
      accountId,
      name ?? null,
      username ?? null,
      bio ?? null,
      avatar !== undefined,
      avatar ?? null,
      profileLinks === undefined ? null : JSON.stringify(profileLinks),
      new Date(nowMs),
    ],
  );
}
