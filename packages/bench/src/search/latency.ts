import { type Figures, quantile } from '../figures.ts';

const WARM_UP = 30;

/** Milliseconds of each query, one after another. */
export async function timesOf(
  queries: readonly string[],
  search: (query: string) => Promise<unknown>,
): Promise<number[]> {
  for (const query of queries.slice(0, WARM_UP)) await search(query);
  const times: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    await search(query);
    times.push(performance.now() - start);
  }
  return times;
}

export function summarize(name: string, times: readonly number[]): Figures {
  return {
    [`${name}, p50 ms`]: quantile(times, 0.5),
    [`${name}, p95 ms`]: quantile(times, 0.95),
  };
}
