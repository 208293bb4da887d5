import { parseArgs } from 'node:util';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase, PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runTask } from '@atrium/service-kit/lifecycle';
import { PrismaPg } from '@prisma/adapter-pg';
import Type from 'typebox';
import { PrismaClient } from './generated/client.ts';
import { AuthConfigSchema } from './config.ts';
import { rotateSigningKey } from './signing-keys/rotation.ts';

const { DATABASE_URL, SECRETS_KEYS, ACCESS_TOKEN_TTL_SECONDS } = AuthConfigSchema.properties;

// `--compromised` withdraws the current key at once.
await runTask('auth-rotate-signing-key', async ({ env, stack, logger }) => {
  const { values } = parseArgs({ options: { compromised: { type: 'boolean', default: false } } });
  const config = readConfig(
    Type.Object({ DATABASE_URL, SECRETS_KEYS, ACCESS_TOKEN_TTL_SECONDS }),
    env,
  );
  const database = stack.use(
    openDatabase({ url: config.DATABASE_URL, applicationName: 'auth-rotate-signing-key', logger }),
  );
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  stack.defer(() => prisma.$disconnect());
  const kid = await rotateSigningKey({
    prisma,
    keyRing: parseKeyRing(config.SECRETS_KEYS),
    accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
    nowMs: Date.now(),
    atOnce: values.compromised,
  });
  logger.info({ kid, isCompromised: values.compromised }, 'signing key rotated');
});
