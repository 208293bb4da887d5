/** In a page in the background nothing is painted. */
const WAIT_MAX_MS = 100;

/** Waits until what was typed has been painted, for work that must not delay it. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, WAIT_MAX_MS);
  });
}
