import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { baseConfig, ConfigError, readConfig } from '../config.ts';
import { runTask } from '../lifecycle.ts';
import { migrate } from './migrations.ts';
import { isPooled } from './pooler.ts';

/** The whole process that migrates a service's database. @param migrations the folder of its migrations */
export function runMigrations(service: string, migrations: URL): Promise<void> {
  return runTask(`${service}-migrate`, async ({ env, logger }) => {
    const { DATABASE_URL } = baseConfig;
    const schema = Type.Object({
      DATABASE_URL,
      DIRECT_DATABASE_URL: Type.Optional(DATABASE_URL),
    });
    const config = readConfig(schema, env);
    const url = config.DIRECT_DATABASE_URL ?? config.DATABASE_URL;
    if (isPooled(url)) {
      throw new ConfigError([
        'DIRECT_DATABASE_URL is missing: migrations need a connection that is not through PgBouncer',
      ]);
    }
    await migrate({ url, directory: fileURLToPath(migrations), logger });
  });
}
