import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAuth } from './auth/auth.ts';
import { benchSearch } from './search/search.ts';
import { benchWeb } from './web/web.ts';
import { benchWebhooks } from './webhooks/webhooks.ts';

const USAGE =
  'Usage: pnpm bench auth|search|web|webhooks [parts …] [--runs 3] [--json .data/bench/….json]';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, json: { type: 'string' } },
});
const [suite, ...parts] = positionals;
const suites = { auth: benchAuth, search: benchSearch, web: benchWeb, webhooks: benchWebhooks };
// An interruption ends the children too: see child.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const chosen = Object.entries(suites).find(([name]) => name === suite);
if (chosen === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  const [name, bench] = chosen;
  const figures = await bench(Number(values.runs), parts);
  const file = values.json ?? `.data/bench/${name}.json`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
  process.stdout.write(`\nwritten to ${file}\n`);
}
