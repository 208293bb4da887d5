import type { AtriumError } from '@atrium/client';
import type { Merge } from './merge.ts';
import type { NoteText, StoredNote } from './note-text.ts';

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

/** Why the page shows another text: others have changed it, or the user has chosen, which can be undone. */
export type ShowReason = 'merged' | 'chosen';

export interface Saver {
  getState: () => SavingState;
  /** Whether the service or this device has the text. */
  isKept: () => boolean;
  subscribe: (listener: () => void) => () => void;
  /** The text has been changed. Cheap: it is called for every key. */
  changed: () => void;
  /** Saves now, without waiting for a pause. The text is on its way to this device on return. */
  flush: () => Promise<void>;
  /**
   * Takes over what somebody else has saved, without waiting for a change here.
   *
   * @param etag the entity tag of the note now
   * @returns whether the text on the page has become another
   */
  follow: (etag: string) => Promise<boolean>;
  /** The two texts that collide. */
  merge: () => Merge | null;
  /** Ends a conflict with the text that was chosen. */
  resolve: (text: NoteText) => void;
  /** Saves once more; what cannot be saved stays on this device. */
  close: () => Promise<void>;
  /** Forgets what could not be saved: its text is not wanted. */
  discard: () => Promise<void>;
}

/** What a save that was answered with this error leads to. */
export function stateAfter(error: AtriumError): SavingState {
  const { status } = error;
  if (status === 0) return { kind: 'offline' };
  if (status === 401) return { kind: 'signed-out' };
  if (status === 404) return { kind: 'deleted' };
  if (status === 412 || status === 429 || status >= 500) return { kind: 'delayed' };
  return { kind: error.error === 'Forbidden' ? 'forbidden' : 'refused', error };
}
