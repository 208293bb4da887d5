import type { UpdateProfileBody } from '@atrium/contracts/auth/profile';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Database } from '../../database.ts';
import type { AuditLog } from '../../audit/record.ts';
import { deleteUnusedAvatar } from '../avatar/store.ts';
import type { Requester } from '../requester.ts';
import { lockBySession } from '../store.ts';
import { lockUsername } from '../username-store.ts';
import { checkProfile } from './check.ts';

export interface ProfileDeps {
  database: Database;
  audit: AuditLog;
  clockMs: () => number;
}

/**
 * Changes the given fields of the profile.
 *
 * @throws HttpError 409 when the username is taken, 422 for an invalid value
 */
export async function changeProfile(
  { database, audit, clockMs }: ProfileDeps,
  requester: Requester,
  body: UpdateProfileBody,
): Promise<void> {
  // Each column is named: nothing else can be changed this way.
  const { name, username, bio, avatar, profileLinks } = checkProfile(body);
  const nowMs = clockMs();
  await database.transaction(requester.origin, async (tx) => {
    const account = await lockBySession(tx, requester);
    if (account === undefined) {
      throw new HttpError('token-invalid');
    }
    const { id, username: from } = account;
    const to = username ?? from;
    const isOther = to.toLowerCase() !== from.toLowerCase();
    if (isOther && !(await lockUsername(tx, to, nowMs))) {
      throw new HttpError('username-taken');
    }
    if (avatar !== undefined) {
      await deleteUnusedAvatar(tx, { accountId: id, url: avatar });
    }
    await tx.prisma.account.update({
      where: { id },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(username === undefined ? {} : { username }),
        ...(bio === undefined ? {} : { bio }),
        ...(avatar === undefined ? {} : { avatar }),
        ...(profileLinks === undefined ? {} : { profileLinks }),
        updatedAt: new Date(nowMs),
      },
    });
    if (to !== from) {
      const data = { from, to };
      await audit.record(tx, { kind: 'profile.username_changed', ...requester, data });
    }
  });
}
