import { type CurrentUser, ProfileLink } from '@atrium/contracts/auth';
import type { Database } from '@atrium/service-kit/database';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads that wait for one query at most; more make another. */
const BATCH_MAX = 200;

const profileLinks = Compile(Type.Array(ProfileLink));

export type ReadCurrentUser = (accountId: string) => Promise<CurrentUser | undefined>;

interface UserRow extends Omit<CurrentUser, 'profileLinks' | 'createdAt'> {
  profileLinks: unknown;
  createdAt: Date;
}

/**
 * Reads users as they see themselves. Requests that arrive in one turn of the event loop share one
 * query: under load this costs a fraction of a query each, and nobody gets anything older than the
 * request.
 */
export function createCurrentUserReader(database: Database): ReadCurrentUser {
  type Waiting = Map<string, PromiseWithResolvers<CurrentUser | undefined>>;
  let waiting: Waiting = new Map();

  async function read(batch: Waiting): Promise<void> {
    try {
      const users = await readUsers(database, [...batch.keys()]);
      for (const [id, { resolve }] of batch) {
        resolve(users.get(id));
      }
    } catch (error) {
      for (const { reject } of batch.values()) {
        reject(error);
      }
    }
  }

  function flush(batch: Waiting): void {
    if (waiting === batch) {
      waiting = new Map();
    }
    void read(batch);
  }

  return (accountId) => {
    const shared = waiting.get(accountId);
    if (shared !== undefined) {
      return shared.promise;
    }
    const mine = Promise.withResolvers<CurrentUser | undefined>();
    const batch = waiting;
    batch.set(accountId, mine);
    if (batch.size === 1) {
      setImmediate(() => flush(batch));
    } else if (batch.size === BATCH_MAX) {
      waiting = new Map();
    }
    return mine.promise;
  };
}

async function readUsers(database: Database, ids: string[]): Promise<Map<string, CurrentUser>> {
  const rows = await database.query<UserRow>(
    `SELECT id, name, username, email, bio, avatar, profile_links AS "profileLinks",
                  email_verified_at IS NOT NULL AS "emailVerified", created_at AS "createdAt"
           FROM accounts WHERE id = ANY($1)`,
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        profileLinks: profileLinks.Parse(row.profileLinks),
        createdAt: row.createdAt.toISOString(),
      },
    ]),
  );
}
