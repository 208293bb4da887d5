import type { Database } from '@atrium/service-kit/database';

/** What a subscription keeps encrypted. */
export interface SealedTexts {
  secret: string;
  previousSecret: string | null;
  headers: string | null;
}

export interface SealedRow extends SealedTexts {
  id: string;
}

export interface SealedStore {
  /** The subscriptions behind `after`, in the order of their ids; those that were deleted too. */
  read(after: string, limit: number): Promise<SealedRow[]>;
  /** Writes what is unchanged since it was read, and answers how many that were. */
  replace(changes: readonly { from: SealedRow; to: SealedTexts }[]): Promise<number>;
}

const READ = `
  SELECT id, sealed_secret AS "secret", previous_sealed_secret AS "previousSecret",
    sealed_headers AS "headers"
  FROM subscriptions WHERE id > $1 ORDER BY id LIMIT $2`;

const REPLACE = `
  UPDATE subscriptions s SET sealed_secret = c.secret, previous_sealed_secret = c.previous_secret,
    sealed_headers = c.headers
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS c (id, was_secret, was_previous_secret, was_headers, secret, previous_secret, headers)
  WHERE s.id = c.id AND s.sealed_secret = c.was_secret
    AND s.previous_sealed_secret IS NOT DISTINCT FROM c.was_previous_secret
    AND s.sealed_headers IS NOT DISTINCT FROM c.was_headers
  RETURNING s.id`;

export function createSealedStore(database: Database): SealedStore {
  return {
    read: (after, limit) => database.query<SealedRow>(READ, [after, limit]),
    async replace(changes) {
      const replaced = await database.query(REPLACE, [
        changes.map(({ from }) => from.id),
        changes.map(({ from }) => from.secret),
        changes.map(({ from }) => from.previousSecret),
        changes.map(({ from }) => from.headers),
        changes.map(({ to }) => to.secret),
        changes.map(({ to }) => to.previousSecret),
        changes.map(({ to }) => to.headers),
      ]);
      return replaced.length;
    },
  };
}
