export { startPostgres } from './postgres.ts';
export { startRedis } from './redis.ts';
export type { LocalServer } from './server-process.ts';

/** The address of another database on the same Postgres server. */
export function databaseUrl(serverUrl: string, databaseName: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  return url.href;
}
