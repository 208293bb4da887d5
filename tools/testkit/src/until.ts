/**
 * Asks again until the answer is neither false, null nor undefined, and returns it.
 *
 * @throws Error after `timeoutMs` (60,000, which is for what hangs: a machine may be slow), with the
 *   last error as its cause.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const { timeoutMs = 60_000, intervalMs = 20 } = options;
  const endMs = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined) {
        return answer as Exclude<T, false | null | undefined>;
      }
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > endMs) {
      throw new Error(`Not so after ${timeoutMs} ms: ${ask.toString()}`, { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
