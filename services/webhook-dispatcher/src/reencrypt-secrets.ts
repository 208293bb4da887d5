import { baseConfig, readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { KeyRingEntries, parseKeyRing } from '@atrium/service-kit/key-ring';
import { runTask } from '@atrium/service-kit/lifecycle';
import Type from 'typebox';
import { createPrisma } from './database.ts';
import { reencryptAll } from './subscriptions/reencrypt.ts';
import { createSealedStore } from './subscriptions/sealed-store.ts';

const name = 'webhooks-reencrypt-secrets';
const Config = Type.Object({ DATABASE_URL: baseConfig.DATABASE_URL, SECRETS_KEYS: KeyRingEntries });

// A step of the rotation of keys: see "Rotating keys" in README.md.
await runTask(name, async ({ env, stack, logger, shutdown }) => {
  const { DATABASE_URL: url, SECRETS_KEYS } = readConfig(Config, env);
  const database = stack.use(
    openDatabase({ url, max: 1, applicationName: name, logger, createPrisma }),
  );
  const { reencrypted, unopened, isComplete } = await reencryptAll({
    store: createSealedStore(database),
    keyRing: parseKeyRing(SECRETS_KEYS),
    signal: shutdown,
  });
  logger.info({ reencrypted, unopened }, 'secrets are encrypted with the first key');
  if (unopened.length > 0) {
    throw new Error(`${unopened.length} subscriptions cannot be decrypted with SECRETS_KEYS`);
  }
  if (!isComplete) throw new Error('Some secrets are still under an older key: run this again');
});
