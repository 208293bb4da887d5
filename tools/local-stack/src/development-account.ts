import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformUrls } from './environment.ts';
import { type Credentials, register, verifyEmail } from './tour/registration.ts';

const PERSON = { userAgent: 'npm start' };

export interface DevelopmentAccountOptions {
  urls: PlatformUrls;
  dataDir: string;
  /** Where auth writes its emails; null when it sends them elsewhere, and the address stays unverified. */
  mailDir: string | null;
  /** The server given as DATABASE_URL, if one is: an account of another server is of no use there. */
  givenDatabase: string | undefined;
}

/** The account to log in with on this machine. It is created at the first start and kept in the data folder. */
export async function developmentAccount(options: DevelopmentAccountOptions): Promise<Credentials> {
  const { urls, dataDir, mailDir } = options;
  const file = join(dataDir, 'development-account.json');
  const database =
    options.givenDatabase === undefined ? 'local' : new URL(options.givenDatabase).host;
  const known = await readAccount(file);
  if (known?.database === database) return known;
  const account = await register(PERSON, urls, { name: 'Dev Example', usernamePrefix: 'dev' });
  if (mailDir !== null) await verifyEmail(PERSON, urls, { mailDir, account });
  await writeFile(file, JSON.stringify({ ...account, database }, null, 2), { mode: 0o600 });
  return account;
}

async function readAccount(file: string): Promise<(Credentials & { database: string }) | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Credentials & { database: string });
}
