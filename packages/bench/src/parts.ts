import { type Figures, medians, table } from './figures.ts';

/** The parts of a benchmark by name; each run of one gives its figures. */
export type Parts<Environment> = Record<string, (environment: Environment) => Promise<Figures>>;

/**
 * Runs the parts that were asked for, all of them when none was, and the yardsticks in any case.
 * Prints the median of each figure and every run beside it.
 *
 * @returns all medians, by part.
 * @throws Error for a name that no part has
 */
export async function runParts<Environment extends AsyncDisposable>(
  parts: Parts<Environment>,
  { runs, only, open }: { runs: number; only: readonly string[]; open: () => Promise<Environment> },
): Promise<Record<string, Figures>> {
  const unknown = only.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    throw new Error(`No part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}`);
  }
  const chosen = Object.entries(parts).filter(
    ([name]) => only.length === 0 || only.includes(name) || name === 'yardsticks',
  );
  await using environment = await open();
  const results = new Map<string, Figures[]>(chosen.map(([name]) => [name, []]));
  for (let run = 1; run <= runs; run += 1) {
    for (const [name, part] of chosen) {
      process.stderr.write(`run ${run} of ${runs}: ${name}\n`);
      results.get(name)?.push(await part(environment));
    }
  }
  const summary: Record<string, Figures> = {};
  for (const [name, figures] of results) {
    process.stdout.write(`\n${name}\n${table(figures)}\n`);
    summary[name] = medians(figures);
  }
  return summary;
}
