import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '@atrium/service-kit/config';
import { openDatabase } from '@atrium/service-kit/database';
import { runTask } from '@atrium/service-kit/lifecycle';
import Type from 'typebox';
import { importAccounts } from './account-import/import-accounts.ts';
import { AuthConfigSchema } from './config.ts';
import { createPrisma } from './database.ts';

const name = 'auth-import-accounts';
const { DATABASE_URL, DEFAULT_PLAN } = AuthConfigSchema.properties;
const USAGE = 'Usage: import-accounts file.ndjson [--report report.ndjson]';

// docs/moving-in.md
await runTask(name, async ({ env, stack, logger, shutdown }) => {
  const options = { report: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new Error(USAGE);
  const config = readConfig(Type.Object({ DATABASE_URL, DEFAULT_PLAN }), env);
  const { DATABASE_URL: url, DEFAULT_PLAN: plan } = config;
  const database = stack.use(
    openDatabase({ url, max: 1, applicationName: name, logger, createPrisma }),
  );
  const reportPath = values.report ?? `${path}.report.ndjson`;
  const report = stack.use(await open(reportPath, 'w', 0o600));
  const counts = await importAccounts(createReadStream(path), {
    database,
    plan,
    clockMs: Date.now,
    signal: shutdown,
    async onBatch(_tx, { throughLine, counts: batch, rejections }) {
      await report.write(rejections.map((rejection) => `${JSON.stringify(rejection)}\n`).join(''));
      logger.info({ ...batch, throughLine }, 'accounts imported');
    },
  });
  if (shutdown.aborted) throw new Error('Interrupted: run it again to go on');
  if (counts.rejected > 0) {
    throw new Error(`${counts.rejected} lines made no account: see ${reportPath}`);
  }
});
