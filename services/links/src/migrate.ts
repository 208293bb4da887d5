import { fileURLToPath } from 'node:url';
import { baseConfig, readConfig } from '@atrium/service-kit/config';
import { runTask } from '@atrium/service-kit/lifecycle';
import { migrate } from '@atrium/service-kit/migrations';
import Type from 'typebox';

const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

await runTask('links-migrate', async ({ env, logger }) => {
  const config = readConfig(Type.Object({ DATABASE_URL: baseConfig.DATABASE_URL }), env);
  await migrate({ url: config.DATABASE_URL, directory, logger });
});
