import { readConfig } from '@atrium/service-kit/config';
import { openDatabase, PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runTask } from '@atrium/service-kit/lifecycle';
import { PrismaPg } from '@prisma/adapter-pg';
import Type from 'typebox';
import { AuthConfigSchema } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { reencryptTotp } from './second-factor/totp/reencrypt.ts';

const name = 'auth-reencrypt-totp';
const { DATABASE_URL, SECRETS_KEYS } = AuthConfigSchema.properties;

// Part of a change of keys: put the new key in front of SECRETS_KEYS of auth and restart, run this, take
// the old key away and restart.
await runTask(name, async ({ env, stack, logger, shutdown }) => {
  const config = readConfig(Type.Object({ DATABASE_URL, SECRETS_KEYS }), env);
  const { DATABASE_URL: url } = config;
  const database = stack.use(openDatabase({ url, max: 1, applicationName: name, logger }));
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  stack.defer(() => prisma.$disconnect());
  const keyRing = parseKeyRing(config.SECRETS_KEYS);
  const { reencrypted, unopened, isComplete } = await reencryptTotp({ prisma, keyRing }, shutdown);
  logger.info({ reencrypted, unopened }, 'authenticator secrets are under the first key');
  if (unopened > 0) {
    throw new Error(`${unopened} authenticator secrets cannot be opened with SECRETS_KEYS`);
  }
  if (!isComplete) {
    throw new Error('Some authenticator secrets are still under an older key: run this again');
  }
});
