import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processEnvironment, readVariable } from './environment.ts';
import { PROCESSES, type ProcessSpec } from './processes/process-table.ts';
import { developmentSecrets } from './secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-environment-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function specOf(name: string): ProcessSpec {
  const spec = PROCESSES.find((process) => process.name === name);
  if (spec === undefined) throw new Error(`no process ${name}`);
  return spec;
}

async function environmentOf(name: string, env: NodeJS.ProcessEnv) {
  return processEnvironment(specOf(name), {
    env,
    portBase: 5000,
    dataDir,
    databaseServerUrl: 'postgres://me:pass@127.0.0.1:1234/postgres?sslmode=disable',
    databasePrefix: 'atrium',
    redisUrl: 'redis://127.0.0.1:1235',
    secrets: await developmentSecrets(dataDir),
  });
}

test('each process gets its ports, its database and the local addresses', async () => {
  expect(await environmentOf('webhook-dispatcher', {})).toMatchObject({
    PORT: '5003',
    METRICS_PORT: '5103',
    DATABASE_URL: 'postgres://me:pass@127.0.0.1:1234/atrium_webhooks?sslmode=disable',
    REDIS_URL: 'redis://127.0.0.1:1235',
    AUTH_URL: 'http://127.0.0.1:5001',
    LINKS_URL: 'http://127.0.0.1:5004',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  });
});

test('what tells browsers addresses uses the name that their cookies and passkeys belong to', async () => {
  expect((await environmentOf('auth', {}))['AUTH_URL']).toBe('http://localhost:5001');
  expect((await environmentOf('web', {}))['AUTH_URL']).toBe('http://localhost:5001');
});

test('the worker shares the database of its service and has no port for requests', async () => {
  const env = await environmentOf('worker', { PORT: '80' });
  expect(env['PORT']).toBeUndefined();
  expect(env['METRICS_PORT']).toBe('5105');
  expect(env['DATABASE_URL']).toContain('/atrium_webhooks');
});

test('a variable that is set, directly or by file, replaces the default', async () => {
  const env = await environmentOf('auth', {
    AUTH_URL: 'https://id.example.com',
    CRON_SECRET_FILE: '/run/secrets/cron',
    WEBHOOK_ALLOW_HTTP: 'false',
  });
  expect(env).toMatchObject({
    AUTH_URL: 'https://id.example.com',
    CRON_SECRET_FILE: '/run/secrets/cron',
    WEBHOOK_ALLOW_HTTP: 'false',
  });
  expect(env['CRON_SECRET']).toBeUndefined();
});

test('every documented variable reaches the processes', async () => {
  const document = await readFile(
    new URL('../../../docs/configuration.md', import.meta.url),
    'utf8',
  );
  const cells = document.matchAll(/^\| ((?:`[A-Z\d_]+`,? )+) *\|/gm);
  const names = [...cells].flatMap(([, cell = '']) => cell.match(/[A-Z\d_]+/g) ?? []);
  expect(names).toEqual(expect.arrayContaining(['REDIS_URL', 'WORKER_CONCURRENCY']));
  // Their values follow from the ports and servers of the platform.
  const own = /^(PORT|METRICS_PORT|REDIS_URL|(DIRECT_)?DATABASE_(READ_)?URL)$/;
  const given = Object.fromEntries(names.filter((name) => !own.test(name)).map((it) => [it, 'x']));
  expect(await environmentOf('auth', given)).toMatchObject(given);
});

test('other variables of our environment do not reach the services', async () => {
  const env = await environmentOf('notes', { GITHUB_TOKEN: 'x', PATH: '/bin', DATABASE_URL: 'x' });
  expect(env['GITHUB_TOKEN']).toBeUndefined();
  expect(env['PATH']).toBe('/bin');
});

test('the web address is the allowed origin by default', async () => {
  expect((await environmentOf('auth', { WEB_URL: 'https://a.example' }))['CORS_ORIGINS']).toBe(
    'https://a.example',
  );
});

test('secrets are generated once and readable by their owner only', async () => {
  const first = await developmentSecrets(dataDir);
  expect(await developmentSecrets(dataDir)).toEqual(first);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  const { MESSAGE_KEYS, ...others } = first;
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(others));
  expect(await developmentSecrets(dataDir)).toMatchObject(others);
  expect(MESSAGE_KEYS).toMatch(/^dev1:/);
  const [id, key = ''] = first.SECRETS_KEYS.split(':');
  expect(id).toBe('dev1');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
});

test('a variable is read from the file that NAME_FILE names', async () => {
  const file = join(dataDir, 'url');
  await writeFile(file, 'redis://elsewhere\n');
  expect(await readVariable({ REDIS_URL_FILE: file }, 'REDIS_URL')).toBe('redis://elsewhere');
  expect(await readVariable({ REDIS_URL: '' }, 'REDIS_URL')).toBeUndefined();
});
