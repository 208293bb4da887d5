import { type Figures, medians, table } from './figures.ts';

/** The parts of a benchmark by name; each run of one gives its figures. */
export type Parts<Environment> = Record<string, (environment: Environment) => Promise<Figures>>;

/** The medians of each part. */
type Summary = Record<string, Figures>;

/** Runs a suite; `only` names parts, and `keep` is called with the medians so far. */
export type Bench = (
  runs: number,
  only: readonly string[],
  keep: (summary: Summary) => Promise<void>,
) => Promise<void>;

/**
 * Runs the parts that were asked for, and the baselines in any case. When none was, all.
 * Prints the figures of a part when it has ended, and after several runs the median of each figure and every
 * run beside it.
 *
 * @returns all medians, by part.
 * @throws Error for a name that no part has
 */
export async function runParts<Environment extends AsyncDisposable>(
  parts: Parts<Environment>,
  options: {
    runs: number;
    only: readonly string[];
    keep: (summary: Summary) => Promise<void>;
    open: () => Promise<Environment>;
  },
): Promise<Summary> {
  const { runs, only, keep, open } = options;
  const unknown = only.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    throw new Error(`No part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}`);
  }
  const chosen = Object.entries(parts).filter(
    ([name]) => name === 'baselines' || only.length === 0 || only.includes(name),
  );
  await using environment = await open();
  const results = new Map<string, Figures[]>();
  const summary: Summary = {};
  for (let run = 1; run <= runs; run += 1) {
    for (const [name, part] of chosen) {
      process.stderr.write(`run ${run} of ${runs}: ${name}\n`);
      const figures = [...(results.get(name) ?? []), await part(environment)];
      results.set(name, figures);
      process.stdout.write(`\n${name}\n${table(figures)}\n`);
      summary[name] = medians(figures);
      await keep(summary);
    }
  }
  return summary;
}
