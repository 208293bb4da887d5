import type { AtriumError } from '@atrium/client';
import type { StoredNote } from './note-text.ts';

export type SavingState =
  | { kind: 'saved' }
  /** Waits for a pause in typing. */
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** The service cannot be reached, or cannot save now; it is tried again. */
  | { kind: 'offline' | 'delayed' }
  | { kind: 'signed-out' }
  /** Until the text is changed, or for who may only read the note now, until it can be saved again. */
  | { kind: 'refused' | 'forbidden'; error: AtriumError }
  /** Somebody else has changed the same words. */
  | { kind: 'conflict'; theirs: StoredNote }
  | { kind: 'deleted' };

/** What a save that was answered with this error leads to. */
export function stateAfter(error: AtriumError): SavingState {
  const { status } = error;
  if (status === 0) return { kind: 'offline' };
  if (status === 401) return { kind: 'signed-out' };
  if (status === 404) return { kind: 'deleted' };
  if (status === 412 || status === 429 || status >= 500) return { kind: 'delayed' };
  return { kind: error.error === 'Forbidden' ? 'forbidden' : 'refused', error };
}
