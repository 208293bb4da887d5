import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import {
  MigrationError,
  pendingMigrations,
  readMigrations,
  type MigrationFile,
  type MigrationRecord,
} from './migration-files.ts';

/** The lock that Prisma's own `migrate deploy` takes, so that the two exclude each other. */
const PRISMA_LOCK_ID = 72_707_369;
const LOCK_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5000;

const INVALID_CATALOG_NAME = '3D000';
const UNDEFINED_TABLE = '42P01';
/** Someone else created the database at the same moment. */
const DUPLICATE_STATES = new Set(['42P04', '23505']);

/** Prisma's own table, column for column. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

const SELECT_RECORDS = `
  SELECT migration_name, checksum, finished_at, rolled_back_at
  FROM _prisma_migrations ORDER BY started_at`;

/** As Prisma records a migration that it has applied. */
const INSERT_RECORD = `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, clock_timestamp(), 1)`;

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  return client;
}

async function createDatabase(url: string): Promise<void> {
  const maintenanceUrl = new URL(url);
  const name = decodeURIComponent(maintenanceUrl.pathname.slice(1));
  maintenanceUrl.pathname = '/postgres';
  const client = await connect(maintenanceUrl.href);
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (!DUPLICATE_STATES.has(sqlState(error) ?? '')) {
      throw error;
    }
  } finally {
    await client.end();
  }
}

async function connectOrCreate(url: string): Promise<pg.Client> {
  try {
    return await connect(url);
  } catch (error) {
    if (sqlState(error) !== INVALID_CATALOG_NAME) {
      throw error;
    }
    await createDatabase(url);
    return connect(url);
  }
}

/** In one transaction with its record: a migration that fails or is killed leaves nothing behind. */
async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(file.sql);
    await client.query(INSERT_RECORD, [randomUUID(), file.checksum, file.name]);
    await client.query('COMMIT');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${file.name} failed: ${reason}`, { cause: error });
  }
}

/**
 * Applies the pending migrations of a folder in Prisma's layout, in order, and creates the database
 * when it is missing. Safe to run twice and at the same time. Keeps Prisma's `_prisma_migrations`, so
 * `prisma migrate deploy` agrees with it.
 *
 * @throws MigrationError when a migration fails, failed earlier when Prisma applied it, or was changed
 *   after being applied
 */
export async function migrate(options: {
  url: string;
  directory: string;
  logger: Logger;
}): Promise<{ applied: string[] }> {
  const files = await readMigrations(options.directory);
  const client = await connectOrCreate(options.url);
  try {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK_ID]);
    await client.query('SET lock_timeout = 0; SET client_min_messages = warning');
    await client.query(CREATE_TABLE);
    const records = await client.query<MigrationRecord>(SELECT_RECORDS);
    const pending = pendingMigrations(files, records.rows);
    for (const file of pending) {
      await apply(client, file);
      options.logger.info({ migration: file.name }, 'migration applied');
    }
    return { applied: pending.map((file) => file.name) };
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end();
  }
}

/**
 * Checks that the database is migrated to what this code expects. Processes call it before they
 * listen.
 *
 * @throws MigrationError when migrations are pending, failed or changed
 */
export async function assertMigrated(options: { pool: pg.Pool; directory: string }): Promise<void> {
  const files = await readMigrations(options.directory);
  const pending = pendingMigrations(files, await recordsOf(options.pool));
  if (pending.length > 0) {
    const names = pending.map((file) => file.name).join(', ');
    throw new MigrationError(
      `Migration ${names} is pending: run the service's migrate entry first`,
    );
  }
}

async function recordsOf(pool: pg.Pool): Promise<MigrationRecord[]> {
  try {
    const result = await pool.query<MigrationRecord>(SELECT_RECORDS);
    return result.rows;
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) {
      return [];
    }
    throw error;
  }
}
