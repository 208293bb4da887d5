export interface LoadResult {
  /** Rounds that succeeded. */
  succeeded: number;
  /** How often something went wrong in the others. */
  failures: Map<string, number>;
}

/** Failures that differ in an id alone count as one. */
const ID = /(_)[0-9a-z]{26}/g;

/** Runs `round` over and over, several at the same time, until `work` has ended. */
export async function underLoad(
  round: (n: number) => Promise<void>,
  work: () => Promise<unknown>,
  concurrency = 4,
): Promise<LoadResult> {
  const result: LoadResult = { succeeded: 0, failures: new Map() };
  let isOver = false;
  let rounds = 0;
  const repeat = async () => {
    while (!isOver) {
      try {
        await round(rounds++);
        result.succeeded++;
      } catch (error) {
        const text = (error instanceof Error ? error.message : String(error)).replaceAll(ID, '$1…');
        result.failures.set(text, (result.failures.get(text) ?? 0) + 1);
      }
    }
  };
  const all = Array.from({ length: concurrency }, repeat);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(all);
  }
  return result;
}
