/** The middle value; of an even number of values the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that at least the share `q` of the values does not exceed (nearest rank). */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

/** Named results of one run, in the order in which they are to be printed. */
export type Figures = Record<string, number>;

/** The median of each figure over several runs. */
export function medians(runs: readonly Figures[]): Figures {
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(runs.flatMap((run) => run[name] ?? []))]),
  );
}

/** One line per figure: the median, then each run. */
export function table(runs: readonly Figures[]): string {
  const middle = medians(runs);
  const width = Math.max(...Object.keys(middle).map((name) => name.length));
  return Object.entries(middle)
    .map(([name, value]) => {
      const each = runs.map((run) => show(run[name] ?? Number.NaN)).join('  ');
      return `${name.padEnd(width)}  ${show(value).padStart(10)}   (${each})`;
    })
    .join('\n');
}

/** At most three digits, or a whole number. */
export function show(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

/** Rows below one another, the first column to the left and the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows
    .map(([name = '', ...cells]) =>
      [
        name.padEnd(widths[0] ?? 0),
        ...cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0)),
      ].join('  '),
    )
    .join('\n');
}
