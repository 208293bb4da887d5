import { tryStorage } from '../../../platform/try-storage.ts';

const KEY = 'atrium-block-uses';

/** How often each block was chosen in this browser, by its name. */
export function blockUses(): Partial<Record<string, number>> {
  const stored: unknown = tryStorage(() => JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(entries.filter(([, count]) => typeof count === 'number'));
}

export function countBlockUse(name: string): void {
  const uses = blockUses();
  const next = { ...uses, [name]: (uses[name] ?? 0) + 1 };
  tryStorage(() => localStorage.setItem(KEY, JSON.stringify(next)));
}
