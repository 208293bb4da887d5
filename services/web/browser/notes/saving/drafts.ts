import { createStore, getMany, keys, promisifyRequest } from 'idb-keyval';
import type { NoteText, StoredNote } from './note-text.ts';

/** What was written since a note was read, on this device. */
export interface Draft {
  base: StoredNote;
  text: NoteText;
  keptAtMs: number;
}

/** Where one tab keeps its draft of a note. */
export interface DraftSlot {
  /** Whether this browser keeps anything. */
  keepsDrafts: boolean;
  /** What a tab that was closed or killed has left. */
  found: Draft | undefined;
  put: (draft: Draft) => Promise<void>;
  clear: () => Promise<void>;
  /** Leaves what is kept to the next tab that opens the note. */
  release: () => void;
}

/** For the browser to answer; a note opens without drafts when it does not. */
const ANSWER_MAX_MS = 5_000;

/**
 * Takes over the newest draft of a note that no living tab holds, or begins one. A lock says which tab a
 * draft belongs to: the browser frees it when the tab is gone, however it went.
 */
export async function openDraftSlot(accountId: string, noteId: string): Promise<DraftSlot> {
  const opening = openKept(accountId, noteId);
  try {
    return await inTime(opening);
  } catch {
    // One that answers later holds no draft back from other tabs.
    opening.then(({ release }) => release()).catch(() => undefined);
    const release = () => undefined;
    const put = () => Promise.reject(new Error('This browser keeps no drafts'));
    const clear = () => Promise.resolve();
    return { keepsDrafts: false, found: undefined, put, clear, release };
  }
}

/** The ids of the notes with a draft that no living tab holds. */
export async function leftDrafts(accountId: string): Promise<string[]> {
  const stored = await inTime(storedKeys(`${accountId} `, openStore()));
  const { held = [] } = await navigator.locks.query();
  const left = stored.filter((key) => !held.some(({ name }) => name === key));
  return [...new Set(left.flatMap((key) => key.split(' ')[1] ?? []))];
}

const openStore = () => createStore('atrium-drafts', 'notes');

async function openKept(accountId: string, noteId: string): Promise<DraftSlot> {
  const store = openStore();
  const prefix = `${accountId} ${noteId} `;
  const write = (change: (drafts: IDBObjectStore) => void) =>
    inTime(
      store('readwrite', (drafts) => {
        change(drafts);
        // Asked for now: nobody is left to do it when the page is going.
        drafts.transaction.commit();
        return promisifyRequest(drafts.transaction);
      }),
    );
  const toSlot = (key: string, found: Draft | undefined, release: () => void): DraftSlot => ({
    keepsDrafts: true,
    found,
    put: (draft) => write((drafts) => drafts.put(draft, key)),
    clear: () => write((drafts) => drafts.delete(key)),
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
  const stored = await storedKeys(prefix, store);
  const drafts = await getMany<Draft | undefined>(stored, store);
  return stored
    .flatMap((key, index): [string, Draft][] => {
      const draft = drafts[index];
      return draft === undefined ? [] : [[key, draft]];
    })
    .toSorted(([, a], [, b]) => b.keptAtMs - a.keptAtMs);
}

const storedKeys = async (prefix: string, store: ReturnType<typeof createStore>) =>
  (await keys<string>(store)).filter((key) => key.startsWith(prefix));

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

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The browser does not answer')), ANSWER_MAX_MS);
  });
  return Promise.race([work, late]);
}
