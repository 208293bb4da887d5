import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../test-app.ts';

const COMMAND = fileURLToPath(new URL('../import-accounts.ts', import.meta.url));

test('the command imports a file, says in a report what it could not, and then exits with 1', async () => {
  await using database = await openTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-import-'));
  const file = join(folder, 'accounts.ndjson');
  const env = { DATABASE_URL: database.url, DEFAULT_PLAN: 'pro' };
  const run = () => promisify(execFile)(execPath, [COMMAND, file], { env, timeout: 50_000 });
  try {
    const good = { email: 'ada@moved.example', birthdate: '1990-05-17' };
    await writeFile(file, `${JSON.stringify(good)}\n{"email":"nobody"}\n`);
    await expect(run()).rejects.toMatchObject({ code: 1 });
    const report = await readFile(`${file}.report.ndjson`, 'utf8');
    expect(JSON.parse(report)).toMatchObject({ line: 2, field: 'email' });
    await writeFile(file, `${JSON.stringify(good)}\n`);
    const { stdout } = await run();
    expect(stdout).toContain('"alreadyThere":1');
    const rows = await database.db.query('SELECT email, plan FROM accounts');
    expect(rows).toEqual([{ email: 'ada@moved.example', plan: 'pro' }]);
    await rm(file);
    await expect(run()).rejects.toMatchObject({ code: 1 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
