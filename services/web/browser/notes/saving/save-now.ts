import type { Saver } from './saver.ts';
import type { SavingState } from './saving-state.ts';

/**
 * Saves what is on the page before the service makes something of it.
 *
 * @returns where the text is now: only when it is `saved` does the service have all of it
 */
export async function saveNow(saver: Saver): Promise<SavingState> {
  await saver.flush();
  // A save that was under way may have begun before the last key.
  if (saver.getState().kind === 'unsaved') await saver.flush();
  return saver.getState();
}
