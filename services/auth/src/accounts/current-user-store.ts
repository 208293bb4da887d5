import { type CurrentUser, ProfileLink } from '@atrium/contracts/auth';
import type { Database } from '@atrium/service-kit/database';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads that wait for one query at most; more make another. */
const BATCH_MAX = 200;
/** Queries at once: while these run, reads gather for the next. */
const READS_MAX = 2;

const profileLinks = Compile(Type.Array(ProfileLink));

export type ReadCurrentUser = (accountId: string) => Promise<CurrentUser | undefined>;

interface UserRow extends Omit<CurrentUser, 'profileLinks' | 'createdAt'> {
  profileLinks: unknown;
  createdAt: Date;
}

/**
 * Reads users as they see themselves. Requests that arrive while others are being read share the next
 * query: under load this costs a fraction of a query each, and nobody gets anything older than the
 * request.
 */
export function createCurrentUserReader(database: Database): ReadCurrentUser {
  const waiting = new Map<string, PromiseWithResolvers<CurrentUser | undefined>>();
  let isScheduled = false;
  let reads = 0;

  async function read(): Promise<void> {
    const batch = [...waiting].slice(0, BATCH_MAX);
    for (const [id] of batch) {
      waiting.delete(id);
    }
    try {
      const users = await readUsers(
        database,
        batch.map(([id]) => id),
      );
      for (const [id, { resolve }] of batch) {
        resolve(users.get(id));
      }
    } catch (error) {
      for (const [, { reject }] of batch) {
        reject(error);
      }
    }
  }

  function readSoon(): void {
    if (isScheduled || reads === READS_MAX || waiting.size === 0) {
      return;
    }
    isScheduled = true;
    // After this turn of the event loop: what arrives in it comes along.
    setImmediate(() => {
      isScheduled = false;
      reads += 1;
      void read().finally(() => {
        reads -= 1;
        readSoon();
      });
      readSoon();
    });
  }

  return (accountId) => {
    const shared = waiting.get(accountId);
    if (shared !== undefined) {
      return shared.promise;
    }
    const mine = Promise.withResolvers<CurrentUser | undefined>();
    waiting.set(accountId, mine);
    readSoon();
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
