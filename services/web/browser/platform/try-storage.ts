/**
 * Reads or writes what the browser keeps for this site. One that is full, or keeps nothing, is no reason for
 * a page to fail: the result is undefined then.
 */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
