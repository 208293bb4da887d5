import { startChild } from '../child.ts';
import { cpuSeconds } from '../cpu-time.ts';
import type { Figures } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { load, type LoadReport, type LoadOptions } from './load-report.ts';
import { importing } from './import.ts';
import { applicationOf, emailOf, PASSWORD, seed, seedApplications, seedGrants } from './seed.ts';
import { accessTokens, openEnvironment, type Environment } from './environment.ts';

const SECONDS = 8;
const CONNECTIONS = 32;
const SESSIONS = 1000;
/** Until the code of what is repeated a few hundred times a second has been compiled. */
const WARM_UP_SECONDS = 1;
/** The same for logins, of which there are a hundred. */
const LOGIN_WARM_UP_SECONDS = 15;
/** So few that all have logged in during the warm-up: the service then knows their browsers. */
const PEOPLE = 200;
const READERS = 200;
/** As many as the library keeps in memory. */
const APPLICATIONS = 100;
const FEW_GRANTS = 1000;
const MANY_GRANTS = 1_000_000;

const TARGETS: { name: string; of: [string, string]; by: [string, string] }[] = [
  { name: 'logins', of: ['logins', 'logins/s'], by: ['baselines', 'argon2id/s'] },
  { name: 'tokens', of: ['tokens', 'tokens/s'], by: ['baselines', 'bare signing route/s'] },
  { name: '/user/me', of: ['me', '/user/me/s'], by: ['baselines', 'bare JWT route/s'] },
];

/** A load on one process, and what it answers for each second of CPU time that it takes. */
async function measured(
  pid: number,
  options: Omit<LoadOptions, 'warmUpSeconds' | 'seconds' | 'inFlight'> & Partial<LoadOptions>,
): Promise<LoadReport & { perCpuSecond: number }> {
  const before = (await cpuSeconds(pid)) ?? NaN;
  const { warmUpSeconds = WARM_UP_SECONDS } = options;
  const report = await load({ seconds: SECONDS, inFlight: CONNECTIONS, ...options, warmUpSeconds });
  // The warm-up is in both.
  const used = ((await cpuSeconds(pid)) ?? NaN) - before;
  return { ...report, perCpuSecond: (report.perSecond * (SECONDS + warmUpSeconds)) / used };
}

async function baselines(): Promise<Figures> {
  await using hashes = startChild('auth/hashes.ts', [String(SECONDS)]);
  const { perSecond: argon2id } = await hashes.next<{ perSecond: number }>('perSecond');
  await using bare = startChild('auth/bare-routes.ts');
  const { origin, tokens: values } = await bare.next<{ origin: string; tokens: string[] }>(
    'tokens',
  );
  const plain = await measured(bare.pid, { origin, kind: 'get', path: '/bare', values });
  const jwt = await measured(bare.pid, { origin, kind: 'get', path: '/jwt', values });
  const signing = await measured(bare.pid, { origin, kind: 'get', path: '/sign', values });
  return {
    'argon2id/s': argon2id,
    'bare route/s': plain.perSecond,
    'bare route, per CPU second': plain.perCpuSecond,
    'bare JWT route/s': jwt.perSecond,
    'bare JWT route, per CPU second': jwt.perCpuSecond,
    'bare signing route/s': signing.perSecond,
    'bare signing route, per CPU second': signing.perCpuSecond,
  };
}

const addresses = () => numbers(PEOPLE).map(emailOf);

async function logins(environment: Environment): Promise<Figures> {
  await seed(environment.pool, SESSIONS);
  await using auth = await environment.startAuth();
  const { origin, pid } = auth;
  const options = { origin, kind: 'login', values: addresses(), password: PASSWORD } as const;
  const report = await measured(pid, { ...options, warmUpSeconds: LOGIN_WARM_UP_SECONDS });
  return { 'logins/s': report.perSecond, 'p99, ms': report.p99Ms };
}

async function me(environment: Environment): Promise<Figures> {
  await seed(environment.pool, SESSIONS);
  await using auth = await environment.startAuth();
  const { origin, pid } = auth;
  const values = await accessTokens(origin, READERS);
  const report = await measured(pid, { origin, kind: 'get', path: '/user/me', values });
  return {
    '/user/me/s': report.perSecond,
    'per CPU second of auth': report.perCpuSecond,
    'p99, ms': report.p99Ms,
  };
}

/**
 * Access tokens of applications, at the token endpoint of the OpenID Connect provider. What one costs auth and Postgres
 * together must not grow with the table of grants: a ratio of 1.2 at most.
 */
async function tokens(environment: Environment): Promise<Figures> {
  await seed(environment.pool, SESSIONS);
  await seedApplications(environment.pool, APPLICATIONS);
  const few = await tokensBeside(FEW_GRANTS, environment);
  const many = await tokensBeside(MANY_GRANTS, environment);
  return {
    'tokens/s': few.perSecond,
    'per CPU second of auth': few.perCpuSecond,
    'p99, ms': few.p99Ms,
    'CPU each, ms': few.cpuMs,
    'tokens/s of 1,000,000 grants': many.perSecond,
    'CPU each of 1,000,000 grants, ms': many.cpuMs,
    'ratio of CPU': many.cpuMs / few.cpuMs,
  };
}

async function tokensBeside(grants: number, environment: Environment) {
  await seedGrants(environment.pool, grants, APPLICATIONS);
  await using auth = await environment.startAuth();
  const { origin, pid } = auth;
  const values = numbers(APPLICATIONS).map(applicationOf);
  const before = (await cpuSeconds(environment.postgresPid)) ?? NaN;
  const report = await measured(pid, { origin, kind: 'token', values });
  const ofPostgres = ((await cpuSeconds(environment.postgresPid)) ?? NaN) - before;
  const count = report.perSecond * (SECONDS + WARM_UP_SECONDS);
  return { ...report, cpuMs: 1000 * (1 / report.perCpuSecond + ofPostgres / count) };
}

export const AUTH_PARTS: Parts<Environment> = {
  baselines,
  logins,
  me,
  tokens,
  import: importing,
};

/** Runs the benchmarks of auth. */
export const benchAuth: Bench = async (runs, only, keep) => {
  const summary = await runParts(AUTH_PARTS, { runs, only, keep, open: openEnvironment });
  for (const { name, of, by } of TARGETS) {
    const reached = summary[of[0]]?.[of[1]];
    const baseline = summary[by[0]]?.[by[1]] ?? NaN;
    if (reached !== undefined) {
      const percent = Math.round((reached / baseline) * 100);
      process.stdout.write(`\n${name} against ${by[1]}: ${percent} %\n`);
    }
  }
};

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
