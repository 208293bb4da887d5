import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeBlock, codeBlocks } from '@atrium/testkit/code-blocks';
import { hash } from '@node-rs/bcrypt';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../test-app.ts';

const COMMAND = fileURLToPath(new URL('../import-accounts.ts', import.meta.url));

test('the command imports the file of the documentation, says in a report what it could not, and then exits with 1', async () => {
  await using database = await openTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-import-'));
  const file = join(folder, 'accounts.ndjson');
  const env = { DATABASE_URL: database.url, DEFAULT_PLAN: 'pro' };
  const run = () => promisify(execFile)(execPath, [COMMAND, file], { env, timeout: 50_000 });
  try {
    const example = codeBlock(await codeBlocks('docs/moving-in.md'), 'json accounts.ndjson');
    const passwordHash = await hash('the old password', { cost: 4 });
    const good = example.replace('$2b$12$…', () => passwordHash);
    await writeFile(file, `${good}{"email":"nobody"}\n`);
    await expect(run()).rejects.toMatchObject({ code: 1 });
    const report = await readFile(`${file}.report.ndjson`, 'utf8');
    expect(JSON.parse(report)).toMatchObject({ line: 3, field: 'email' });
    await writeFile(file, good);
    const { stdout } = await run();
    expect(stdout).toContain('"alreadyThere":1');
    const rows = await database.db.query('SELECT email, plan FROM accounts');
    expect(rows).toEqual([{ email: 'ada@example.com', plan: 'pro' }]);
    await rm(file);
    await expect(run()).rejects.toMatchObject({ code: 1 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
