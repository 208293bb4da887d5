import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { startEntry } from '../child.ts';
import { cpuSeconds } from '../cpu-time.ts';
import type { Figures } from '../figures.ts';
import { childEnvironment, entryOf } from '../platform.ts';
import type { Environment } from './environment.ts';

const ACCOUNTS = 100_000;
const LOGINS = 100;
/** A hash from the tests of crypt_blowfish, at cost 5. */
const HASH = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const PASSWORD = 'U*U';
const SAMPLE_MS = 20;

/** Moving in with a hundred thousand accounts that have hashes of bcrypt, and the first logins to them. */
export async function importing(environment: Environment): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-import-'));
  try {
    const path = join(folder, 'accounts.ndjson');
    // Each run has addresses of its own.
    const domain = `${Date.now()}.example`;
    await writeFile(path, linesOf(domain));
    const imported = await measure(environment, path);
    await using auth = await environment.startAuth();
    const [first, second] = [await logIn(auth.origin, domain), await logIn(auth.origin, domain)];
    return {
      'accounts/s': ACCOUNTS / imported.seconds,
      'CPU s of the command': imported.cpuSeconds,
      'most memory, MiB': imported.mebibytes,
      'first login, ms': first,
      'second login, ms': second,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const emailOf = (n: number, domain: string) => `moved-${n}@${domain}`;

function linesOf(domain: string): string {
  const lines = Array.from({ length: ACCOUNTS }, (_, n) =>
    JSON.stringify({ email: emailOf(n, domain), externalId: `${domain} ${n}`, passwordHash: HASH }),
  );
  return `${JSON.stringify({ settings: { birthdate: '1990-01-01' } })}\n${lines.join('\n')}\n`;
}

async function measure({ url }: Environment, path: string) {
  const startedMs = performance.now();
  const env = { ...childEnvironment(), DATABASE_URL: url, LOG_LEVEL: 'warn' };
  const child = startEntry(entryOf('auth', 'import-accounts.ts'), env, [path]);
  let mebibytes = 0;
  let used = 0;
  while (child.process.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    mebibytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? mebibytes * 1024) / 1024;
    used = (await cpuSeconds(child.pid)) ?? used;
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  if (child.process.exitCode !== 0) await child.died;
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: used, mebibytes };
}

/** @returns what a login takes, in ms: the median of a hundred people, one after the other */
async function logIn(origin: string, domain: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < LOGINS; n += 1) {
    const startedMs = performance.now();
    const answer = await request(`${origin}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: emailOf(n, domain), password: PASSWORD }),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`A login answered ${answer.statusCode}`);
    times.push(performance.now() - startedMs);
  }
  return times.toSorted((a, b) => a - b)[LOGINS / 2] ?? NaN;
}
