import { fileURLToPath } from 'node:url';
import { baseConfig, readConfig } from '@atrium/service-kit/config';
import { runTask } from '@atrium/service-kit/lifecycle';
import { migrate } from '@atrium/service-kit/migrations';
import Type from 'typebox';

await runTask('webhooks-migrate', async ({ env, logger }) => {
  const { DATABASE_URL } = readConfig(Type.Object({ DATABASE_URL: baseConfig.DATABASE_URL }), env);
  const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
  await migrate({ url: DATABASE_URL, directory, logger });
});
