import { Facet, StateEffect, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** What the surface needs of the page that it stands in. */
export interface SurfaceContext {
  texts: { missingNote: string; openLink: string; blocks: { image: string } };
  /** @returns the URL under which the browser shows an attached image */
  loadImage: (attachmentId: string) => Promise<string>;
  open: (target: LinkTarget) => void;
}

/** Where a link leads: a note by its title, an attachment of which the name is known, or a URL. */
export type LinkTarget =
  | { kind: 'title'; title: string }
  | { kind: 'attachment'; id: string; name: string }
  | { kind: 'url'; href: string };

const NOWHERE: SurfaceContext = {
  texts: { missingNote: '', openLink: '', blocks: { image: '' } },
  loadImage: () => Promise.reject(new Error('There is no page')),
  open: () => undefined,
};

export const surfaceContext = Facet.define<SurfaceContext, SurfaceContext>({
  combine: ([context = NOWHERE]) => context,
});

/** The ids of the notes that the titles in the text mean, by title in small letters. */
export type LinkedNotes = ReadonlyMap<string, string>;

export const setLinkedNotes = StateEffect.define<LinkedNotes | undefined>();

export const linkedNotes = StateField.define<LinkedNotes | undefined>({
  create: () => undefined,
  update: (known, { effects }) =>
    effects.reduce((next, effect) => (effect.is(setLinkedNotes) ? effect.value : next), known),
});

const setFocus = StateEffect.define<boolean>();

/** Whether one writes here: what the cursor touches is shown as it is written only then. */
export const isFocused = StateField.define<boolean>({
  create: () => false,
  update: (is, { effects }) =>
    effects.reduce((next, effect) => (effect.is(setFocus) ? effect.value : next), is),
  provide: () => EditorView.focusChangeEffect.of((_, isFocusing) => setFocus.of(isFocusing)),
});
