import { readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runTask } from '@atrium/service-kit/lifecycle';
import Type from 'typebox';
import { AuthConfigSchema } from './config.ts';
import { createPrisma } from './database.ts';
import { reencryptTotp } from './second-factor/totp/reencrypt.ts';

const name = 'auth-reencrypt-totp';
const { DATABASE_URL, SECRETS_KEYS } = AuthConfigSchema.properties;

// A step of the rotation of keys: see "Rotating keys" in README.md.
await runTask(name, async ({ env, stack, logger, shutdown }) => {
  const config = readConfig(Type.Object({ DATABASE_URL, SECRETS_KEYS }), env);
  const { DATABASE_URL: url } = config;
  const options = { url, max: 1, applicationName: name, logger, createPrisma };
  const database = stack.use(openDatabase(options));
  const keyRing = parseKeyRing(config.SECRETS_KEYS);
  const { reencrypted, unopened, isComplete } = await reencryptTotp(
    { database, keyRing },
    shutdown,
  );
  logger.info({ reencrypted, unopened }, 'authenticator secrets are under the first key');
  if (unopened > 0) {
    throw new Error(`${unopened} authenticator secrets cannot be opened with SECRETS_KEYS`);
  }
  if (!isComplete) {
    throw new Error('Some authenticator secrets are still under an older key: run this again');
  }
});
