import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('makes no secret while openssl fails, and every one afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-secrets-'));
  try {
    // The scripts write beside themselves.
    for (const script of ['scripts/make-secrets.sh', 'deploy/redis/acl.sh']) {
      await cp(join(ROOT, script), join(folder, script));
    }
    const programs = join(folder, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'openssl'), '#!/bin/sh\nexit 1\n');
    await chmod(join(programs, 'openssl'), 0o755);
    const path = process.env['PATH'] ?? '';
    const run = (PATH: string) =>
      promisify(execFile)('/bin/sh', [join(folder, 'scripts/make-secrets.sh')], { env: { PATH } });

    await expect(run(`${programs}:${path}`)).rejects.toMatchObject({ code: 1 });
    expect(await readdir(join(folder, 'secrets'))).toEqual([]);

    await run(path);
    const secret = (name: string) => readFile(join(folder, 'secrets', name), 'utf8');
    expect(await secret('internal_secret')).toMatch(/^[0-9a-f]{64}$/);
    expect(await secret('message_keys')).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    expect(await secret('auth_migration_url')).toMatch(
      /^postgres:\/\/atrium_auth_owner:[0-9a-f]{64}@postgres:5432\/atrium_auth$/,
    );
    expect(await secret('redis_auth_url')).toMatch(/^redis:\/\/auth:[0-9a-f]{64}@redis:6379$/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
