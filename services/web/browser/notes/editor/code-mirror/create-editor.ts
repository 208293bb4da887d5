import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from '@codemirror/view';
import { styleNonce } from '../../../platform/service-urls.ts';
import type { Completions } from './completions.ts';
import {
  continueList,
  deleteItemMark,
  indentItems,
  toggleLines,
  toggleMark,
  toggleTask,
} from './commands.ts';
import { lineKeys } from './line-keys.ts';
import { selectionBar } from './selection-bar.ts';
import type { SurfaceContext } from './surface-context.ts';
import { surface } from './surface.ts';
import { goToCell, goToCellBelow } from './table-cells.ts';
import { paste } from './paste.ts';
import { uploadPlaces } from './upload-places.ts';

const shortcuts = [
  { key: 'Mod-b', run: toggleMark('**') },
  { key: 'Mod-i', run: toggleMark('_') },
  { key: 'Mod-e', run: toggleMark('`') },
  { key: 'Mod-Alt-1', run: toggleLines('# ') },
  { key: 'Mod-Alt-2', run: toggleLines('## ') },
  { key: 'Mod-Alt-3', run: toggleLines('### ') },
  { key: 'Mod-Shift-7', run: toggleLines('1. ') },
  { key: 'Mod-Shift-8', run: toggleLines('- ') },
  { key: 'Mod-Shift-9', run: toggleLines('- [ ] ') },
  { key: 'Mod-Enter', run: toggleTask },
  { key: 'Enter', run: goToCellBelow },
  { key: 'Enter', run: continueList },
  { key: 'Backspace', run: deleteItemMark },
  { key: 'Tab', run: goToCell(true), shift: goToCell(false) },
  { key: 'Tab', run: indentItems(true), shift: indentItems(false) },
];

export type Editor = EditorView;

/** What stays in view above a note, on a phone below the bar of the page. */
const barPx = () => (matchMedia('(max-width: 48em)').matches ? 112 : 64);

/** The cursor stays below the bar. While the note begins below it, what stands above its first lines is in view. */
function belowBar({ scrollDOM }: EditorView): { top: number } {
  const { top } = scrollDOM.getBoundingClientRect();
  return { top: Math.max(0, Math.min(barPx(), barPx() - top)) };
}

/** The editor of a note's Markdown. */
export function createEditor(
  parent: HTMLElement,
  options: {
    content: string;
    texts: { label: string; placeholder: string; keys: string };
    /** Stands above what is selected, where there is room for it. */
    formatBar: HTMLElement | null;
    completions: Completions;
    context: SurfaceContext;
    onChange: () => void;
    /** Files that were pasted or dropped, and where. */
    onFiles: (files: File[], at: number) => void;
  },
): EditorView {
  const { content, texts, formatBar, completions, context, onChange, onFiles } = options;
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: content,
      extensions: [
        EditorView.cspNonce.of(styleNonce),
        EditorView.lineWrapping,
        EditorView.scrollMargins.of(belowBar),
        EditorView.perLineTextDirection.of(true),
        EditorView.decorations.of(lineDirections),
        EditorView.contentAttributes.of({
          'aria-label': texts.label,
          'aria-description': texts.keys,
          spellcheck: 'true',
        }),
        placeholder(texts.placeholder),
        history(),
        completionsWhenNeeded(completions),
        // Before the keys of any text: the arrows go into tables.
        surface(context),
        keymap.of([...shortcuts, ...historyKeymap, ...lineKeys, ...standardKeymap]),
        uploadPlaces(onFiles),
        paste,
        formatBar === null ? [] : selectionBar(formatBar),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) onChange();
        }),
      ],
    }),
  });
}

/** A slash that begins a word offers blocks, two brackets offer notes. */
const BEGINS_COMPLETION = /(?:^|\s)\/$|\[\[$/;

/** What is offered is loaded when it first may be: most notes are written without it. */
function completionsWhenNeeded(completions: Completions): Extension {
  let isLoading = false;
  return EditorView.updateListener.of(({ docChanged, state, view }) => {
    if (!docChanged || isLoading) return;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    if (!BEGINS_COMPLETION.test(state.sliceDoc(line.from, head))) return;
    isLoading = true;
    import('./completions.ts').then(
      ({ addCompletions }) => addCompletions(view, completions),
      // The next one tries again.
      () => (isLoading = false),
    );
  });
}

const LINE_DIRECTION = Decoration.line({ attributes: { dir: 'auto' } });

/** Each line begins at the side where its script does, as Arabic and Hebrew do at the right. */
function lineDirections({ state, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) {
      const start = state.doc.lineAt(at).from;
      lines.add(start, start, LINE_DIRECTION);
    }
  }
  return lines.finish();
}

/** Puts the cursor at a place of the text, which comes to the top of the page. */
export function goTo(view: EditorView, position: number): void {
  const anchor = Math.min(position, view.state.doc.length);
  const yMargin = barPx() - belowBar(view).top;
  const effects = EditorView.scrollIntoView(anchor, { y: 'start', yMargin });
  view.dispatch({ selection: { anchor }, effects });
  view.focus();
}
