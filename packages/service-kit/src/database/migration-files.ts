import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface MigrationFile {
  name: string;
  sql: string;
  /** SHA-256 of the file in hexadecimal, as Prisma stores it. */
  checksum: string;
}

/** A row of `_prisma_migrations`. */
export interface MigrationRecord {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/** A database whose migrations are not what the code expects. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/** The migrations of a folder in Prisma's layout (`<name>/migration.sql`), in their order. */
export async function readMigrations(directory: string): Promise<MigrationFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const content = await readFile(join(directory, name, 'migration.sql'));
      const checksum = createHash('sha256').update(content).digest('hex');
      return { name, sql: content.toString(), checksum };
    }),
  );
}

/**
 * The files that are not applied yet. A database may have more migrations than this code knows: the
 * older code still runs during a rolling deployment.
 *
 * @throws MigrationError when a migration of these files failed earlier or has changed since it was applied
 */
export function pendingMigrations(
  files: readonly MigrationFile[],
  records: readonly MigrationRecord[],
): MigrationFile[] {
  const names = new Set(files.map((file) => file.name));
  const known = records.filter(
    (record) => record.rolled_back_at === null && names.has(record.migration_name),
  );
  const failed = known.filter((record) => record.finished_at === null);
  if (failed.length > 0) {
    const failedNames = failed.map((record) => record.migration_name).join(', ');
    throw new MigrationError(
      `Migration ${failedNames} failed earlier: repair the database and resolve it in _prisma_migrations`,
    );
  }
  const applied = new Map(known.map((record) => [record.migration_name, record.checksum]));
  const changed = files.filter(
    ({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum,
  );
  if (changed.length > 0) {
    const changedNames = changed.map((file) => file.name).join(', ');
    throw new MigrationError(
      `The database was created by an incompatible version (migration ${changedNames} has changed since): ` +
        'start with an empty one',
    );
  }
  return files.filter((file) => !applied.has(file.name));
}
