import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { AUTH_PARTS, benchAuth } from './auth/auth.ts';
import { benchCapacity } from './capacity/capacity.ts';
import { benchGrowth } from './growth/growth.ts';
import type { Bench } from './parts.ts';
import { benchSearch, SEARCH_PARTS } from './search/search.ts';
import { benchWeb, WEB_PARTS } from './web/web.ts';
import { benchWebhooks, WEBHOOK_PARTS } from './webhooks/webhooks.ts';

interface Suite {
  bench: Bench;
  parts: string[];
  /** How often each part runs by default. */
  runs: number;
}

const SUITES: Record<string, Suite> = {
  auth: { bench: benchAuth, parts: Object.keys(AUTH_PARTS), runs: 3 },
  capacity: { bench: benchCapacity, parts: [], runs: 1 },
  // Its parts are numbers of deliveries.
  growth: { bench: benchGrowth, parts: ['1000000', '10000000'], runs: 3 },
  search: { bench: benchSearch, parts: Object.keys(SEARCH_PARTS), runs: 3 },
  web: { bench: benchWeb, parts: Object.keys(WEB_PARTS), runs: 1 },
  webhooks: { bench: benchWebhooks, parts: Object.keys(WEBHOOK_PARTS), runs: 1 },
};

const USAGE = `Usage: pnpm bench <suite> [parts …] [--runs <number>] [--json <file>]

Prints what a part has measured when it ends, and keeps the medians so far in a file (.data/bench/<suite>.json).
Without names all parts are run.

${Object.entries(SUITES)
  .map(([name, { parts, runs }]) => `${name}, ${runs} by default: ${parts.join(' ')}`)
  .join('\n')}
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    runs: { type: 'string' },
    json: { type: 'string' },
  },
});
const [name = '', ...parts] = positionals;
// An interruption ends the children too: see child.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
if (values.help) {
  process.stdout.write(USAGE);
} else if (suite === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const file = values.json ?? `.data/bench/${name}.json`;
  await mkdir(dirname(file), { recursive: true });
  const runs = Number(values.runs ?? suite.runs);
  await suite.bench(runs, parts, (figures) =>
    writeFile(file, `${JSON.stringify(figures, null, 2)}\n`),
  );
  process.stdout.write(`\nwritten to ${file}\n`);
}
