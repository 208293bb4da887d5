import { AtriumError } from '@atrium/client';
import type { Saver } from './saving-state.ts';

/**
 * Saves what is on the page before the service makes something of it.
 *
 * @param notSaved said when nothing failed and the service still does not have all of the text
 * @throws AtriumError why the service does not have all of it
 */
export async function saveNow(saver: Saver, notSaved: string): Promise<void> {
  await saver.flush();
  // A save that was under way may have begun before the last key.
  if (saver.getState().kind === 'unsaved') await saver.flush();
  const state = saver.getState();
  if ('error' in state) throw state.error;
  if (state.kind !== 'saved') throw new AtriumError(409, 'Conflict', notSaved);
}
