import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { links } from './links.ts';
import { liveMarkdown, plainMarkdown } from './markdown.ts';
import { isFocused, linkedNotes, type SurfaceContext, surfaceContext } from './surface-context.ts';
import { tables } from './tables.ts';

const view = new Compartment();
const live: Extension = [liveMarkdown, tables, links];
const plain: Extension = plainMarkdown;

/** Shows the Markdown as it is written, or again as what it means. */
export function toggleSource(editor: EditorView): boolean {
  const isPlain = view.get(editor.state) === plain;
  editor.dispatch({ effects: view.reconfigure(isPlain ? live : plain) });
  return true;
}

/** The text as its readers see it, which shows its Markdown where one writes. */
export const surface = (context: SurfaceContext): Extension => [
  surfaceContext.of(context),
  isFocused,
  linkedNotes,
  keymap.of([{ key: 'Mod-Shift-m', run: toggleSource }]),
  view.of(live),
];
