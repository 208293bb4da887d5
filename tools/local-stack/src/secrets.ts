import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets that a deployment keeps in its secret store. */
export interface DevelopmentSecrets {
  /** `id:base64 of 32 bytes`: the key ring that encrypts what is secret at rest. */
  SECRETS_KEYS: string;
  /** The same for what messages between services keep secret. */
  MESSAGE_KEYS: string;
  CRON_SECRET: string;
  INTERNAL_SECRET: string;
}

/** The secrets of this data directory, each generated once, readable by their owner only. */
export async function developmentSecrets(dataDir: string): Promise<DevelopmentSecrets> {
  const file = join(dataDir, 'secrets.json');
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '{}';
  });
  const secrets: DevelopmentSecrets = {
    SECRETS_KEYS: `dev1:${randomBytes(32).toString('base64')}`,
    MESSAGE_KEYS: `dev1:${randomBytes(32).toString('base64')}`,
    CRON_SECRET: randomBytes(32).toString('hex'),
    INTERNAL_SECRET: randomBytes(32).toString('hex'),
    ...(JSON.parse(kept) as Partial<DevelopmentSecrets>),
  };
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
