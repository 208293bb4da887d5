import { newId } from '@atrium/contracts/ids';
import type { Platform } from '@atrium/local-stack/platform';
import { databaseUrl } from '@atrium/local-stack/servers';
import pg from 'pg';
import { type Account, createNotes } from './account.ts';

export const ROWS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Each stores a list of `ROWS` rows of an account, more than the plan allows it to make.
 *
 * @returns the path of the page that shows it
 */
export const LONG_LISTS = {
  async notes(platform: Platform, account: Account): Promise<string> {
    const { workspaceId } = await createNotes(platform, account, []);
    await store(
      platform,
      'atrium_notes',
      `INSERT INTO notes (id, workspace_id, title, tags, created_at, updated_at)
       SELECT id, $2, 'Note number ' || n, CASE n % 3 WHEN 0 THEN '{garden,late}'::text[] ELSE '{}' END,
         now() - n * interval '1 minute', now() - n * interval '1 minute'
       FROM unnest($1::text[]) WITH ORDINALITY AS i (id, n)`,
      [newIds('note'), workspaceId],
    );
    return `/workspaces/${workspaceId}`;
  },

  async links(platform: Platform, account: Account): Promise<string> {
    const slugs = account.id.slice(-8);
    await store(
      platform,
      'atrium_links',
      `INSERT INTO links (id, owner_id, slug, url, created_at)
       SELECT id, $2, $3 || n, 'https://example.com/some/place/' || n, now() - n * interval '1 minute'
       FROM unnest($1::text[]) WITH ORDINALITY AS i (id, n)`,
      [newIds('lnk'), account.id, slugs],
    );
    return '/links';
  },

  async deliveries(platform: Platform, account: Account): Promise<string> {
    await store(
      platform,
      'atrium_webhooks',
      `WITH subscription AS (
         INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
         VALUES ($2, $3, 'https://example.com/', '{go.click}', '') RETURNING id
       )
       INSERT INTO deliveries (id, event_id, subscription_id, event)
       SELECT i.id, i.id, subscription.id, 'go.click' FROM subscription, unnest($1::text[]) AS i (id)`,
      [newIds('dlv'), newId('whk'), account.id],
    );
    return '/deliveries';
  },
};

/** One a minute until now, newest first. */
function newIds(prefix: Parameters<typeof newId>[0]): string[] {
  const nowMs = Date.now();
  return Array.from({ length: ROWS }, (_, index) => newId(prefix, nowMs - index * MINUTE_MS));
}

async function store(
  { databaseServerUrl }: Platform,
  database: string,
  statement: string,
  values: unknown[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(databaseServerUrl, database) });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
