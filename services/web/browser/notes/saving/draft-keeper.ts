import { afterPaint } from '../after-paint.ts';
import type { Draft, DraftSlot } from './drafts.ts';

/**
 * @param onChange called when it has changed whether something would be lost with the page
 * @param read what is not saved yet; undefined when there is nothing to keep
 */
export function createDraftKeeper(
  slot: Pick<DraftSlot, 'put' | 'clear'>,
  onChange: () => void,
  read: () => Draft | undefined,
) {
  let isKept = true;
  let running: Promise<void> | null = null;
  let isWanted = false;

  async function keepNow(): Promise<void> {
    const draft = read();
    const wasKept = isKept;
    try {
      await (draft === undefined ? slot.clear() : slot.put(draft));
      isKept = true;
    } catch {
      // No room, or a browser that keeps nothing: the page says that it must stay open.
      isKept = false;
    }
    if (isKept !== wasKept) onChange();
  }

  async function run(): Promise<void> {
    while (isWanted) {
      await afterPaint();
      isWanted = false;
      await keepNow();
    }
  }

  /** After the key that asks for it has been painted; once for any number of calls at the same time. */
  function keep(): void {
    isWanted = true;
    running ??= run().finally(() => {
      running = null;
    });
  }

  return { isKept: () => isKept, keep, keepNow };
}
