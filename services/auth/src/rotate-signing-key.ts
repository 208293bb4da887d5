import { parseArgs } from 'node:util';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runTask } from '@atrium/service-kit/lifecycle';
import Type from 'typebox';
import { AuthConfigSchema } from './config.ts';
import { createPrisma } from './database.ts';
import { rotateSigningKey } from './signing-keys/rotation.ts';

const name = 'auth-rotate-signing-key';
const { DATABASE_URL, SECRETS_KEYS, ACCESS_TOKEN_TTL_SECONDS } = AuthConfigSchema.properties;

// `--compromised` withdraws the current key at once.
await runTask(name, async ({ env, stack, logger }) => {
  const { values } = parseArgs({ options: { compromised: { type: 'boolean', default: false } } });
  const config = readConfig(
    Type.Object({ DATABASE_URL, SECRETS_KEYS, ACCESS_TOKEN_TTL_SECONDS }),
    env,
  );
  const { DATABASE_URL: url } = config;
  const database = stack.use(openDatabase({ url, applicationName: name, logger, createPrisma }));
  const kid = await rotateSigningKey({
    database,
    keyRing: parseKeyRing(config.SECRETS_KEYS),
    accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
    nowMs: Date.now(),
    atOnce: values.compromised,
  });
  logger.info({ kid, isCompromised: values.compromised }, 'signing key rotated');
});
