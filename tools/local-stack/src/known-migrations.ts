import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** invalid_catalog_name, undefined_table: a first start. */
const NOT_MIGRATED_YET = new Set(['3D000', '42P01']);

/**
 * The names of migrations that a database has and this checkout lacks, or has with other SQL: the
 * database was made by another version.
 */
export async function unknownMigrations(serviceFolder: string, url: string): Promise<string[]> {
  const known = await knownMigrations(join(serviceFolder, 'prisma', 'migrations'));
  return (await appliedMigrations(url))
    .filter(({ migration_name, checksum }) => known.get(migration_name) !== checksum)
    .map(({ migration_name }) => migration_name);
}

/** Names with the SHA-256 of their SQL, which is what Prisma records. */
async function knownMigrations(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const checksums = names.map(async (name): Promise<[string, string]> => {
    const sql = await readFile(join(folder, name, 'migration.sql'));
    return [name, createHash('sha256').update(sql).digest('hex')];
  });
  return new Map(await Promise.all(checksums));
}

async function appliedMigrations(
  url: string,
): Promise<{ migration_name: string; checksum: string }[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const result = await client.query<{ migration_name: string; checksum: string }>(
      `SELECT migration_name, checksum FROM _prisma_migrations
        WHERE rolled_back_at IS NULL ORDER BY started_at`,
    );
    return result.rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_MIGRATED_YET.has(error.code ?? '')) return [];
    throw error;
  } finally {
    await client.end();
  }
}
