import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { baseConfig, readConfig } from '../config.ts';
import { runTask } from '../lifecycle.ts';
import { migrate } from './migrations.ts';

/** The whole process that migrates a service's database. @param migrations the folder of its migrations */
export function runMigrations(service: string, migrations: URL): Promise<void> {
  return runTask(`${service}-migrate`, async ({ env, logger }) => {
    const schema = Type.Object({ DATABASE_URL: baseConfig.DATABASE_URL });
    const { DATABASE_URL: url } = readConfig(schema, env);
    await migrate({ url, directory: fileURLToPath(migrations), logger });
  });
}
