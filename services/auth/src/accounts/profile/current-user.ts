import { type CurrentUser, ProfileLink } from '@atrium/contracts/auth/accounts';
import type { Sql } from '@atrium/service-kit/database';
import { runForHolder } from '@atrium/service-kit/holder';
import { avatarUrl } from '../avatar/store.ts';
import DataLoader from 'dataloader';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

const BATCH_MAX = 200;

const profileLinks = Compile(Type.Array(ProfileLink));

export type ReadCurrentUser = (accountId: string) => Promise<CurrentUser | undefined>;

interface UserRow extends Omit<CurrentUser, 'profileLinks' | 'createdAt'> {
  profileLinks: unknown;
  createdAt: Date;
}

/** Reads users as they see themselves. Requests of one turn of the event loop share a query. */
export function createCurrentUserReader(sql: Sql, authUrl: string): ReadCurrentUser {
  const loader = new DataLoader((ids: readonly string[]) => readUsers(sql, ids, authUrl), {
    cache: false,
    maxBatchSize: BATCH_MAX,
    // Not for the account whose request began the batch: it would have the others wait for its share.
    batchScheduleFn: (run) => void runForHolder(undefined, () => setImmediate(run)),
  });
  return (accountId) => loader.load(accountId);
}

/** Raw SQL: `GET /user/me` is a measured hot path. */
async function readUsers(
  sql: Sql,
  ids: readonly string[],
  authUrl: string,
): Promise<(CurrentUser | undefined)[]> {
  const rows = await sql.query<UserRow>(
    `SELECT id, name, username, email, bio, avatar, profile_links AS "profileLinks",
            email_verified_at IS NOT NULL AS "emailVerified", created_at AS "createdAt"
     FROM accounts WHERE id = ANY($1)`,
    [ids],
  );
  const users = new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        avatar: avatarUrl(row.avatar, authUrl),
        profileLinks: profileLinks.Parse(row.profileLinks),
        createdAt: row.createdAt.toISOString(),
      },
    ]),
  );
  return ids.map((id) => users.get(id));
}
