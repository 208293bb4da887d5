import { AtriumError } from '@atrium/client';
import { atrium } from '../../session/atrium.ts';
import { type DraftSlot, openDraftSlot } from './drafts.ts';
import { type NoteText, type StoredNote, textOf, withEditorLineEnds } from './note-text.ts';
import { createSaver } from './saver.ts';
import type { Saver, SavingState } from './saving-state.ts';

/** The parts of a note that its page shows in fields; the editor has the content. */
export type NoteFields = Omit<NoteText, 'content'>;

/** The editor of the content. */
export interface ContentEditor {
  read: () => string;
  /** Shows other content; cursor and history stay. */
  show: (content: string) => void;
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
  /** Called when the fields have changed. */
  subscribe: (listener: () => void) => () => void;
  /** @param afterwards the note does not open again before it has ended */
  close: <Result>(afterwards: () => Result | Promise<Result>) => Promise<Result>;
}

/** The deadline of a save; the text waits on this device meanwhile. */
const SAVE_DEADLINE_MS = 10_000;

/** Notes whose page was left while they are still being saved. */
const closing = new Map<string, Promise<unknown>>();

/**
 * Opens a note with what this device has kept of it. Such a draft opens without the service: the saver
 * brings the two together.
 */
export async function openNote(
  accountId: string,
  id: string,
  signal: AbortSignal,
): Promise<OpenNote> {
  await closing.get(id);
  return open(accountId, id, signal);
}

/**
 * Saves what a page that is gone has left of a note on this device, merged with what others have saved.
 *
 * @returns its title, and what has become of it
 */
export function saveLeft(
  accountId: string,
  id: string,
): Promise<{ title: string; state: SavingState['kind'] }> {
  const saved = open(accountId, id, new AbortController().signal).then(
    async ({ saver, fields, close }) => {
      await saver.flush();
      return close(() => ({ title: fields().title, state: saver.getState().kind }));
    },
  );
  // A page that opens the note meanwhile would not find the draft.
  closing.set(
    id,
    saved.catch(() => undefined),
  );
  return saved;
}

async function open(accountId: string, id: string, signal: AbortSignal): Promise<OpenNote> {
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

function startWriting(
  accountId: string,
  base: StoredNote,
  text: NoteText,
  slot: DraftSlot,
): OpenNote {
  const { id } = base;
  let stored = base;
  const listeners = new Set<() => void>();
  const content = withEditorLineEnds(text.content);
  let editor: ContentEditor = { read: () => content, show: () => undefined };
  let { content: _content, ...fields } = text;

  function setFields(next: NoteFields): void {
    fields = next;
    for (const listener of listeners) listener();
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
    show({ content, ...rest }) {
      setFields(rest);
      editor.show(content);
    },
    load: async () => {
      assertAccount();
      return (stored = await atrium.notes.getNote(id));
    },
    save: async (changes, etag) => {
      assertAccount();
      const match = { ifMatch: etag, deadlineMs: SAVE_DEADLINE_MS };
      return (stored = await atrium.notes.updateNote(id, changes, match));
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
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close(afterwards) {
      const closed = saver
        .close()
        .then(afterwards)
        .finally(() => {
          slot.release();
          closing.delete(id);
        });
      closing.set(id, closed);
      return closed;
    },
  };
}
