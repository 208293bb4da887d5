import { columns, type Figures, show } from './figures.ts';

interface Target {
  atLeast?: number;
  atMost?: number;
}

/** By part and figure. */
export type Targets = Record<string, Record<string, Target>>;

/**
 * What was measured of each target, beside the baselines, one line each.
 *
 * @param baselines a figure of one is named after it: `${baseline}: ${figure}`
 */
export function targetTable(
  medians: Record<string, Figures>,
  targets: Targets,
  baselines: readonly string[],
): string {
  const headings = ['', 'Atrium', ...baselines, 'target', ''];
  const rows = Object.entries(targets).flatMap(([part, figures]) =>
    Object.entries(figures).flatMap(([figure, target]) => {
      const value = medians[part]?.[figure];
      if (value === undefined) return [];
      const others = baselines.map((baseline) => {
        const key = `${baseline}: ${figure}`;
        const measured = medians[part]?.[key] ?? medians['baselines']?.[key];
        return measured === undefined ? '' : show(measured);
      });
      return [[`${part}: ${figure}`, show(value), ...others, ...verdictOf(value, target)]];
    }),
  );
  return columns([headings, ...rows]);
}

function verdictOf(value: number, { atLeast, atMost }: Target): [target: string, verdict: string] {
  if (atLeast !== undefined) return [`≥ ${atLeast}`, value >= atLeast ? 'met' : 'MISSED'];
  if (atMost !== undefined) return [`≤ ${atMost}`, value <= atMost ? 'met' : 'MISSED'];
  return ['', ''];
}
