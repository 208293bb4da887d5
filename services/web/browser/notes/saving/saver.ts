// Why it is so: docs/decisions/0027-text-is-kept-until-it-is-saved.md
import { AtriumError } from '@atrium/client';
import { createDraftKeeper } from './draft-keeper.ts';
import type { DraftSlot } from './drafts.ts';
import { conflictsOf, mergeTexts, withoutTheRest } from './merge.ts';
import { changesBetween, isSameText, type NoteText, type StoredNote, textOf } from './note-text.ts';
import { type Saver, type SavingState, type ShowReason, stateAfter } from './saving-state.ts';

interface SaverOptions {
  /** What was read, and what the text on the page is based on. */
  base: StoredNote;
  read: () => NoteText;
  /** Shows a text that the page does not have yet. */
  show: (text: NoteText, reason: ShowReason) => void;
  load: () => Promise<StoredNote>;
  save: (changes: Partial<NoteText>, etag: string) => Promise<StoredNote>;
  draft: Pick<DraftSlot, 'put' | 'clear'>;
}

/** Requests wait for a pause in typing, but not for long. */
const PAUSE_MS = 800;
const WAIT_MAX_MS = 5_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Merges in one attempt: others may save as fast as this page does. */
const MERGES_MAX = 5;

/**
 * Saves a note while it is being written. What is typed is kept on this device at once and stays there until
 * the service has it.
 */
export function createSaver(options: SaverOptions): Saver {
  const { read, show, load, save, draft } = options;
  const listeners = new Set<() => void>();
  let { base } = options;
  let state: SavingState = isSameText(base, read()) ? { kind: 'saved' } : { kind: 'unsaved' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingSinceMs = 0;
  let failures = 0;
  let saving: Promise<void> | null = null;
  /** A rejection is about this. */
  let sent: NoteText = base;
  /** The first and the last text whose save failed: either may be stored although its answer was lost. */
  let unanswered: NoteText[] = [];
  /** What others had saved when the user began to choose. */
  let asked: StoredNote | undefined;
  let isClosed = false;
  let isDiscarded = false;

  function setState(next: SavingState): void {
    if (next.kind === state.kind && next.kind !== 'conflict' && next.kind !== 'refused') return;
    state = next;
    notify();
  }

  const notify = () => listeners.forEach((listener) => listener());

  /** An empty title cannot be saved; the former one stays until there is another. */
  function savable(): NoteText {
    const text = read();
    return text.title.trim() === '' ? { ...text, title: base.title } : text;
  }

  const { isKept, keep, keepNow } = createDraftKeeper(draft, notify, () => {
    const text = textOf(read());
    // What is gone elsewhere is kept also when it was saved, as long as its page shows it.
    const isWanted = (state.kind === 'deleted' && !isClosed) || !isSameText(base, text);
    return isWanted && !isDiscarded ? { base, text, keptAtMs: Date.now() } : undefined;
  });

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void flush(), delayMs);
  }

  /** @returns false when another person has changed the note, unless this is the last attempt */
  async function saveOnce(isLast: boolean): Promise<boolean> {
    const text = savable();
    const changes = changesBetween(base, text);
    sent = text;
    if (Object.keys(changes).length === 0) return true;
    if (state.kind !== 'forbidden') setState({ kind: 'saving' });
    try {
      const stored = await save(changes, base.etag);
      // Not what the answer says: a service that tidies up would make the text look changed for ever.
      base = { ...stored, ...textOf(text) };
      unanswered = [];
      failures = 0;
      return true;
    } catch (error) {
      if (!isLast && error instanceof AtriumError && error.status === 412) return false;
      unanswered = [unanswered[0] ?? text, text];
      throw error;
    }
  }

  /** @returns whether all of it can be saved now */
  async function mergeWithTheirs(readMine: () => NoteText): Promise<boolean> {
    const theirs = await load();
    const mine = readMine();
    // What this page has saved itself collides with nothing that was typed since.
    const isOwn = unanswered.some((text) => isSameText(text, theirs));
    const merge = mergeTexts(isOwn ? theirs : base, mine, theirs);
    const left = withoutTheRest(merge);
    if (!isSameText(mine, left.mine)) show(left.mine, 'merged');
    if (conflictsOf(merge).length > 0) {
      await saveRest(theirs, left);
      return false;
    }
    base = theirs;
    unanswered = [];
    if (state.kind === 'conflict' || state.kind === 'deleted') setState({ kind: 'unsaved' });
    return true;
  }

  /** While a person is asked about some words, the others are saved. */
  async function saveRest(theirs: StoredNote, left: ReturnType<typeof withoutTheRest>) {
    setState({ kind: 'conflict', theirs });
    const rest =
      left.theirs.title.trim() === '' ? { ...left.theirs, title: theirs.title } : left.theirs;
    const changes = changesBetween(theirs, rest);
    const isSame = Object.keys(changes).length === 0;
    const stored = isSame ? theirs : await save(changes, theirs.etag);
    // Its entity tag stays the old one: nothing may be saved over what the question is about.
    base = { ...base, ...left.base };
    setState({ kind: 'conflict', theirs: { ...stored, ...rest } });
  }

  function fail(error: unknown): void {
    if (!(error instanceof AtriumError)) throw error;
    const next = stateAfter(error);
    const isRetried = next.kind === 'offline' || next.kind === 'delayed';
    // The question stays open, and what is gone is gone until it can be read: a deletion may be undone.
    const isHeld = state.kind === 'conflict' || state.kind === 'deleted';
    if (!isHeld || !isRetried) setState(next);
    if (!isRetried && next.kind !== 'deleted') return;
    schedule(Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_MAX_MS));
    failures += 1;
  }

  async function saveAll(): Promise<void> {
    clearTimeout(timer);
    waitingSinceMs = 0;
    try {
      // The page of a closed note is gone: the next one that opens it merges.
      const trySave = async (isLast: boolean) => state.kind !== 'conflict' && saveOnce(isLast);
      for (let merges = 0; !(await trySave(isClosed || merges === MERGES_MAX)); merges += 1) {
        if (!(await mergeWithTheirs(savable))) return;
      }
      setState({ kind: isSameText(base, savable()) ? 'saved' : 'unsaved' });
    } catch (error) {
      fail(error);
      if (state.kind === 'refused' && !isSameText(sent, savable())) setState({ kind: 'unsaved' });
    } finally {
      await keepNow();
    }
  }

  function settle(): void {
    saving = null;
    // What was typed meanwhile: its timer may have run out before this was over.
    if (state.kind === 'unsaved') waitForPause();
  }

  function flush(): Promise<void> {
    const kept = keepNow();
    if (isDiscarded || (isClosed && ['conflict', 'deleted'].includes(state.kind))) return kept;
    // With nothing to save, only reading says whether a note is back.
    saving ??= (state.kind === 'deleted' ? takeOver() : saveAll()).finally(settle);
    return saving;
  }

  async function takeOver(): Promise<void> {
    waitingSinceMs = 0;
    try {
      // A title that is being typed anew may be empty.
      const isMerged = await mergeWithTheirs(read);
      if (isMerged && !isSameText(base, savable())) setState({ kind: 'unsaved' });
    } catch (error) {
      fail(error);
    } finally {
      await keepNow();
    }
  }

  async function follow(etag: string): Promise<boolean> {
    while (saving !== null) await saving;
    // What waits for something else merges when it is saved.
    if (isClosed || etag === base.etag || !['saved', 'unsaved'].includes(state.kind)) return false;
    const before = base;
    saving = takeOver().finally(settle);
    await saving;
    return !isSameText(before, base);
  }

  function changed(): void {
    keep();
    if (state.kind === 'forbidden' || state.kind === 'conflict') schedule(PAUSE_MS);
    else if (['saved', 'unsaved', 'refused'].includes(state.kind)) waitForPause();
  }

  function waitForPause(): void {
    setState({ kind: 'unsaved' });
    const nowMs = Date.now();
    if (waitingSinceMs === 0) waitingSinceMs = nowMs;
    schedule(Math.max(0, Math.min(PAUSE_MS, waitingSinceMs + WAIT_MAX_MS - nowMs)));
  }

  if (state.kind === 'unsaved') changed();

  return {
    getState: () => state,
    isKept,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changed,
    flush,
    follow,
    merge() {
      if (state.kind !== 'conflict') return null;
      asked = state.theirs;
      return mergeTexts(base, read(), asked);
    },
    resolve(text) {
      if (state.kind !== 'conflict') return;
      // What others have saved since is found by its entity tag.
      base = asked ?? state.theirs;
      asked = undefined;
      setState({ kind: 'unsaved' });
      show(text, 'chosen');
      void flush();
    },
    async close() {
      void keepNow();
      // A save that is under way may have begun before the last key.
      while (saving !== null) await saving;
      isClosed = true;
      await flush();
      clearTimeout(timer);
    },
    async discard() {
      isDiscarded = true;
      await keepNow();
      isDiscarded = isKept();
      if (!isDiscarded) throw new Error('The draft cannot be removed from this device');
    },
  };
}
