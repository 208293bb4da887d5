import { AtriumError } from '@atrium/client';
import { atrium } from '../../session/atrium.ts';
import { type DraftSlot, openDraftSlot } from './drafts.ts';
import { type NoteText, type StoredNote, textOf, withEditorLineEnds } from './note-text.ts';
import { createSaver } from './saver.ts';
import type { Saver, SavingState, ShowReason } from './saving-state.ts';

/** The parts of a note that its page shows in fields; the editor has the content. */
export type NoteFields = Omit<NoteText, 'content'>;

/** The editor of the content. */
export interface ContentEditor {
  read: () => string;
  /** Shows other content; cursor and history stay. */
  show: (content: string, reason: ShowReason) => void;
  focus?: () => void;
  /** Brings a place into view, with the cursor. */
  goTo?: (position: number) => void;
}

/** A note that is being written, from the moment its page opens until what was typed is saved. */
export interface OpenNote {
  id: string;
  /** As it was when the page was opened. */
  opened: StoredNote;
  /** As the service last had it. */
  stored: () => StoredNote;
  saver: Saver;
  /** Whether this device keeps what is not saved yet. */
  keepsDrafts: boolean;
  content: () => string;
  attach: (editor: ContentEditor) => void;
  focusContent: () => void;
  goTo: (position: number) => void;
  fields: () => NoteFields;
  change: (changed: Partial<NoteFields>) => void;
  isPublic: () => boolean;
  /** Called once its page has learned whether the note is public. */
  setSharedUrl: (sharedUrl: string | null) => void;
  /** Called when the fields, or whether the note is public, have changed. */
  subscribe: (listener: () => void) => () => void;
  /** @param afterwards the note does not open again before it has ended */
  close: <Result>(afterwards: () => Result | Promise<Result>) => Promise<Result>;
}

/** The deadline of a save, or of reading what others have saved; the text waits on this device meanwhile. */
const SAVE_DEADLINE_MS = 10_000;

/** Notes whose page was left while they are still being saved. */
const closing = new Map<string, Promise<unknown>>();

/** Stops what is saved without a page as soon as a page wants the note. */
const savingLeft = new Map<string, AbortController>();

/** A note does not open again before this has ended. */
function holdClosed<Result>(id: string, ending: Promise<Result>): Promise<Result> {
  const ended = ending.then(
    () => undefined,
    () => undefined,
  );
  closing.set(id, ended);
  void ended.then(() => closing.get(id) === ended && closing.delete(id));
  return ending;
}

/**
 * Opens a note with what this device has kept of it. Such a draft opens without the service: the saver
 * brings the two together.
 */
export async function openNote(
  accountId: string,
  id: string,
  signal: AbortSignal,
): Promise<OpenNote> {
  savingLeft.get(id)?.abort(new AtriumError(0, 'Network Error', 'Its page saves the note'));
  await closing.get(id);
  const asked = atrium.notes.getNote(id, { signal });
  // With a draft, nothing waits for it.
  asked.catch(() => undefined);
  const slot = await openDraftSlot(accountId, id);
  try {
    const base = slot.found?.base ?? (await asked);
    signal.throwIfAborted();
    return startWriting(accountId, base, slot.found?.text ?? textOf(base), slot);
  } catch (error) {
    slot.release();
    throw error;
  }
}

/**
 * Saves what a page that is gone has left of a note on this device, merged with what others have saved.
 *
 * @returns its title, and what has become of it; null when there is no draft any more
 */
export function saveLeft(
  accountId: string,
  id: string,
): Promise<{ title: string; state: SavingState['kind'] } | null> {
  const stopping = new AbortController();
  savingLeft.set(id, stopping);
  const saved = saveDraft(accountId, id, stopping.signal);
  return holdClosed(
    id,
    saved.finally(() => savingLeft.delete(id)),
  );
}

async function saveDraft(accountId: string, id: string, stopping: AbortSignal) {
  const slot = await openDraftSlot(accountId, id);
  try {
    if (slot.found === undefined) return null;
    const { base, text } = slot.found;
    const { saver, fields, close } = startWriting(accountId, base, text, slot, stopping);
    await saver.flush();
    return await close(() => ({ title: fields().title, state: saver.getState().kind }));
  } finally {
    slot.release();
  }
}

function startWriting(
  accountId: string,
  base: StoredNote,
  text: NoteText,
  slot: DraftSlot,
  stopping?: AbortSignal,
): OpenNote {
  const { id } = base;
  let stored = base;
  const listeners = new Set<() => void>();
  let content = withEditorLineEnds(text.content);
  // What is merged stays merged although no page shows it.
  let editor: ContentEditor = { read: () => content, show: (next) => (content = next) };
  let { content: _content, ...fields } = text;

  const notify = () => listeners.forEach((listener) => listener());

  function setFields(next: NoteFields): void {
    fields = next;
    notify();
  }

  function setStored(next: StoredNote): StoredNote {
    stored = next;
    notify();
    return next;
  }

  /** Another account that has logged in since does not save what this one has written. */
  function assertAccount(): void {
    if (atrium.session.getState().user?.id !== accountId) {
      throw new AtriumError(401, 'Unauthorized', 'Its account is not logged in');
    }
  }

  const saver = createSaver({
    base,
    read: () => ({ ...fields, content: editor.read() }),
    show({ content, ...rest }, reason) {
      setFields(rest);
      editor.show(content, reason);
    },
    load: async () => {
      assertAccount();
      const options = { deadlineMs: SAVE_DEADLINE_MS, signal: stopping };
      return setStored(await atrium.notes.getNote(id, options));
    },
    save: async (changes, etag) => {
      assertAccount();
      // One that was sent is awaited: what it has saved must not look like the words of another person.
      stopping?.throwIfAborted();
      const match = { ifMatch: etag, deadlineMs: SAVE_DEADLINE_MS };
      return setStored(await atrium.notes.updateNote(id, changes, match));
    },
    draft: slot,
  });

  return {
    id,
    opened: base,
    stored: () => stored,
    saver,
    keepsDrafts: slot.keepsDrafts,
    content: () => editor.read(),
    attach: (attached) => {
      editor = attached;
    },
    focusContent: () => editor.focus?.(),
    goTo: (position) => editor.goTo?.(position),
    fields: () => fields,
    change(changed) {
      setFields({ ...fields, ...changed });
      saver.changed();
    },
    isPublic: () => stored.sharedUrl !== null,
    setSharedUrl: (sharedUrl) => void setStored({ ...stored, sharedUrl }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close(afterwards) {
      return holdClosed(id, saver.close().then(afterwards).finally(slot.release));
    },
  };
}
