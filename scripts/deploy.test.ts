import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-deploy-'));
  // The scripts work beside themselves.
  for (const part of ['deploy', 'scripts/make-secrets.sh']) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  }
  await promisify(execFile)('/bin/sh', [join(folder, 'scripts/make-secrets.sh')]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a script of `deploy` with this program as `docker` and as `psql`. */
async function run(script: string, program: string, ...args: string[]) {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  for (const name of ['docker', 'psql']) {
    await writeFile(join(programs, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  }
  const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}` };
  return promisify(execFile)('/bin/sh', [join(folder, 'deploy', script), ...args], { env });
}

test.each(['backup.sh', 'restore.sh'])(
  '%s refuses while a database is on another server',
  async (script) => {
    const backup = join(folder, 'backup');
    if (script === 'restore.sh') {
      await mkdir(backup);
      const files = ['auth.dump', 'notes.dump', 'links.dump', 'webhooks.dump', 'files.tar'];
      for (const file of files) await writeFile(join(backup, file), 'x');
    }
    const url = 'postgres://atrium_links:password@db.example.com:5432/atrium_links';
    await writeFile(join(folder, 'secrets', 'links_database_url'), url);

    await expect(run(script, 'exit 1', backup)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('secrets/links_database_url names another server'),
    });
    expect(await readdir(folder)).not.toContain('backup.unfinished');
  },
);

test('backup.sh takes a pooler in front of the Postgres of Compose', async () => {
  const url = 'postgres://atrium_links:password@pooler:6432/atrium_links?pgbouncer=true';
  await writeFile(join(folder, 'secrets', 'links_database_url'), url);
  await expect(run('backup.sh', 'exit 1', join(folder, 'backup'))).rejects.toMatchObject({
    stderr: expect.stringContaining('is Postgres running?'),
  });
});

test('rolling-restart.sh says why a migration failed, and stops there', async () => {
  const docker = `case "$*" in
    'compose version') ;;
    *'migrate-auth') echo '{"level":"fatal","msg":"relation is missing"}'; exit 1 ;;
    *) echo "not reached: $*" >&2; exit 1 ;;
  esac`;
  await expect(run('rolling-restart.sh', docker)).rejects.toMatchObject({
    code: 1,
    stderr:
      '{"level":"fatal","msg":"relation is missing"}\n' +
      'migration of auth failed: the restart stops here\n',
  });
});

test('init.sh makes the users and databases of URLs that have parameters', async () => {
  const script = join(folder, 'deploy', 'postgres', 'init.sh');
  const secrets = join(folder, 'secrets');
  const parameters = '?sslmode=verify-full&sslrootcert=/run/secrets/ca.pem';
  const url = `postgres://atrium_auth:pass@db.example.com:5432/atrium_auth${parameters}`;
  await writeFile(join(secrets, 'auth_database_url'), url);
  // Compose mounts the secrets there.
  const text = (await readFile(script, 'utf8')).replaceAll('/run/secrets', secrets);
  await writeFile(script, text);
  const { stdout } = await run('postgres/init.sh', 'echo "$@"');
  expect(stdout).toContain(
    '--set=role=atrium_auth --set=password=pass --set=database=atrium_auth ',
  );
});

test('set-passwords.sh gives each role, and the superuser, the password of its secret', async () => {
  const script = join(folder, 'deploy', 'postgres', 'set-passwords.sh');
  const secrets = join(folder, 'secrets');
  const url = 'postgres://atrium_links:new@pooler:6432/atrium_links?pgbouncer=true';
  await writeFile(join(secrets, 'links_database_url'), url);
  await writeFile(join(secrets, 'postgres_password'), 'newest');
  // Compose mounts the secrets there.
  const text = (await readFile(script, 'utf8')).replaceAll('/run/secrets', secrets);
  await writeFile(script, text);
  const { stdout } = await run('postgres/set-passwords.sh', 'echo "$@"; cat');
  expect(stdout.match(/--set=role=\S+/g)).toHaveLength(9);
  expect(stdout).toContain('--set=role=atrium_links --set=password=new\nALTER ROLE');
  expect(stdout).toContain('--set=role=postgres --set=password=newest\nALTER ROLE');
});

test('every port that Compose takes on the host can be another one', async () => {
  const compose: { services: Record<string, { ports?: string[] }> } = parse(
    await readFile(join(ROOT, 'docker-compose.yml'), 'utf8'),
    { merge: true },
  );
  const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !/^\$\{[A-Z]+_PORT:-127\.0\.0\.1:\d+\}:\d+$/.test(port))).toEqual(
    [],
  );
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test.each(['rediss://auth:over-tls@redis.example.com:6380', 'redis+cluster://auth:many@a:1,b:2'])(
  'acl.sh gives a user the password of %s',
  async (url) => {
    await writeFile(join(folder, 'secrets', 'redis_auth_url'), url);
    const { stdout } = await run('redis/acl.sh', 'exit 1');
    const password = /:([a-z-]+)@/.exec(url)?.[1] ?? '';
    expect(stdout).toContain(`\nuser auth on #${sha256(password)} `);
  },
);

test('acl.sh makes no user without a password', async () => {
  await writeFile(join(folder, 'secrets', 'redis_notes_url'), 'redis://redis:6379');
  await expect(run('redis/acl.sh', 'exit 1')).rejects.toMatchObject({
    code: 1,
    stderr: 'secrets/redis_notes_url has no password\n',
  });
});
