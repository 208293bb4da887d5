import { coalesceWrites } from './coalesce-writes.ts';
import type { Draft, DraftSlot } from './drafts.ts';

/** @param read what is not saved yet; undefined when there is nothing to keep */
export function createDraftKeeper(
  slot: Pick<DraftSlot, 'put' | 'clear'>,
  read: () => Draft | undefined,
) {
  let isKept = true;

  async function keepNow(): Promise<void> {
    const draft = read();
    try {
      await (draft === undefined ? slot.clear() : slot.put(draft));
      isKept = true;
    } catch {
      // No room, or a browser that keeps nothing: the page says that it must stay open.
      isKept = false;
    }
  }

  return { isKept: () => isKept, keep: coalesceWrites(keepNow), keepNow };
}
