import { createStore, del, entries, promisifyRequest } from 'idb-keyval';
import type { NoteText, StoredNote } from './note-text.ts';

/** What was written since a note was read, on this device. */
export interface Draft {
  base: StoredNote;
  text: NoteText;
  keptAtMs: number;
}

/** Where one tab keeps its draft of a note. */
export interface DraftSlot {
  /** What a tab that was closed or killed has left. */
  found: Draft | undefined;
  put: (draft: Draft) => Promise<void>;
  clear: () => Promise<void>;
  /** Leaves what is kept to the next tab that opens the note. */
  release: () => void;
}

/**
 * Takes over the newest draft of a note that no living tab holds, or begins one. A lock says which tab a
 * draft belongs to: the browser frees it when the tab is gone, however it went.
 */
export async function openDraftSlot(accountId: string, noteId: string): Promise<DraftSlot> {
  const store = createStore('atrium-drafts', 'notes');
  const prefix = `${accountId} ${noteId} `;
  const toSlot = (key: string, found: Draft | undefined, release: () => void): DraftSlot => ({
    found,
    put: (draft) =>
      store('readwrite', (drafts) => {
        drafts.put(draft, key);
        // Asked for now: nobody is left to do it when the page is going.
        drafts.transaction.commit();
        return promisifyRequest(drafts.transaction);
      }),
    clear: () => del(key, store),
    release,
  });
  for (const [key, draft] of await storedDrafts(prefix, store)) {
    const release = await tryLock(key);
    if (release !== null) return toSlot(key, draft, release);
  }
  const key = prefix + crypto.randomUUID();
  return toSlot(key, undefined, (await tryLock(key)) ?? (() => undefined));
}

async function storedDrafts(
  prefix: string,
  store: ReturnType<typeof createStore>,
): Promise<[string, Draft][]> {
  try {
    const all = await entries<string, Draft>(store);
    return all
      .filter(([key]) => key.startsWith(prefix))
      .toSorted(([, a], [, b]) => b.keptAtMs - a.keptAtMs);
  } catch {
    // A browser that keeps nothing: the page then says that it must stay open.
    return [];
  }
}

/** @returns what frees the lock; null when another tab holds it */
function tryLock(name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}
