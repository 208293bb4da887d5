import type { UpdateProfileBody } from '@atrium/contracts/profile';
import type { Database } from '@atrium/service-kit/database';
import { conflict, unauthorized } from '@atrium/service-kit/http-error';
import { claimUsername } from '../username-store.ts';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import { lockBySession } from '../store.ts';
import { checkProfile } from './check.ts';
import { type ProfileOwner, updateProfile } from './store.ts';

export interface ProfileDeps {
  database: Database;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * Changes the fields of the profile that are given.
 *
 * @throws HttpError 409 when the username is taken, 422 for a value that is not valid
 */
export async function changeProfile(
  { database, recordAudit, clockMs }: ProfileDeps,
  who: ProfileOwner,
  body: UpdateProfileBody,
  origin: RequestOrigin,
): Promise<void> {
  const changes = checkProfile(body);
  const nowMs = clockMs();
  await database.transaction(async (tx) => {
    const former = (await lockBySession(tx, who))?.username;
    if (former === undefined) {
      throw unauthorized('Invalid token');
    }
    const { username = former } = changes;
    const isOther = username.toLowerCase() !== former.toLowerCase();
    if (isOther && !(await claimUsername(tx, username, nowMs))) {
      throw conflict('Username is already taken');
    }
    await updateProfile(tx, { accountId: who.accountId, changes, nowMs });
    if (username !== former) {
      const data = { from: former, to: username };
      await recordAudit(tx, { kind: 'profile.username_changed', ...who, origin, data, nowMs });
    }
  });
}
