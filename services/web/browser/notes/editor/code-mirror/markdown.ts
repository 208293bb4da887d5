import type { ChangeSet, Extension, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Tree, TreeFragment } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';
import { afterPaint } from '../../after-paint.ts';
import classes from './code-mirror.module.css';

const language = parser.configure([GFM]);

const styleOf = (name: string): string => classes[name] ?? '';

const highlighter = tagHighlighter([
  { tag: tags.heading1, class: styleOf('heading1') },
  { tag: tags.heading2, class: styleOf('heading2') },
  { tag: tags.heading3, class: styleOf('heading3') },
  { tag: tags.heading, class: styleOf('heading') },
  { tag: tags.strong, class: styleOf('strong') },
  { tag: tags.emphasis, class: styleOf('emphasis') },
  { tag: tags.strikethrough, class: styleOf('strikethrough') },
  { tag: tags.monospace, class: styleOf('code') },
  { tag: tags.link, class: styleOf('link') },
  { tag: tags.quote, class: styleOf('quote') },
  { tag: tags.atom, class: styleOf('task') },
  // The signs of Markdown itself.
  { tag: [tags.processingInstruction, tags.url, tags.labelName], class: styleOf('sign') },
  { tag: tags.contentSeparator, class: styleOf('sign') },
]);

/** Blocks whose lines have a ground or an edge of their own. */
const BLOCK_LINES: Record<string, Decoration> = {
  FencedCode: Decoration.line({ class: styleOf('codeLine') }),
  CodeBlock: Decoration.line({ class: styleOf('codeLine') }),
  Table: Decoration.line({ class: styleOf('tableLine') }),
  Blockquote: Decoration.line({ class: styleOf('quoteLine') }),
};

/** Only of the lines in view, so that a long note costs no more than a short one. */
function decorate(view: EditorView, tree: Tree): DecorationSet {
  const { doc } = view.state;
  const ranges: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    const addMark = (start: number, end: number, style: string) => {
      // What is typed at the end of a line goes on with what is there, until it is parsed.
      const inclusive = end === doc.lineAt(end).to;
      ranges.push(Decoration.mark({ class: style, inclusive }).range(start, end));
    };
    highlightTree(tree, highlighter, addMark, from, to);
    let decoratedTo = -1;
    tree.iterate({
      from,
      to,
      enter(node) {
        const decoration = BLOCK_LINES[node.name];
        if (decoration === undefined) return;
        const end = Math.min(node.to, to);
        let line = doc.lineAt(Math.max(node.from, from));
        for (;;) {
          // Of blocks within blocks the outer one counts.
          if (line.from > decoratedTo) ranges.push(decoration.range(line.from));
          decoratedTo = Math.max(decoratedTo, line.from);
          if (line.to + 1 > end) break;
          line = doc.lineAt(line.to + 1);
        }
      },
    });
  }
  return Decoration.set(ranges, true);
}

/**
 * Parses after a key has been painted what it touches: the key itself only moves the decorations, because
 * in a long note parsing takes longer than everything else.
 */
class Highlighting {
  decorations: DecorationSet;
  readonly #view: EditorView;
  #tree: Tree;
  /** What can be used of the tree once the text has changed. */
  #fragments: readonly TreeFragment[];
  #isScheduled = false;
  #isDestroyed = false;

  constructor(view: EditorView) {
    this.#view = view;
    this.#tree = language.parse(view.state.doc.toString());
    this.#fragments = TreeFragment.addTree(this.#tree);
    this.decorations = decorate(view, this.#tree);
  }

  update({ docChanged, changes, viewportChanged }: ViewUpdate): void {
    if (docChanged) {
      this.decorations = this.decorations.map(changes);
      this.#fragments = TreeFragment.applyChanges(this.#fragments, changedRanges(changes));
      void this.#parseAfterPaint();
    } else if (viewportChanged && !this.#isScheduled) {
      this.decorations = decorate(this.#view, this.#tree);
    }
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  async #parseAfterPaint(): Promise<void> {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    await afterPaint();
    this.#isScheduled = false;
    if (this.#isDestroyed) return;
    this.#tree = language.parse(this.#view.state.doc.toString(), this.#fragments);
    this.#fragments = TreeFragment.addTree(this.#tree);
    const decorations = decorate(this.#view, this.#tree);
    // Most keys go on with a word and change no style.
    if (isEqual(this.decorations, decorations)) return;
    this.decorations = decorations;
    this.#view.dispatch({});
  }
}

/** `RangeSet.eq` leaves out marks. */
function isEqual(one: DecorationSet, other: DecorationSet): boolean {
  const a = one.iter();
  const b = other.iter();
  for (; a.value !== null && b.value !== null; a.next(), b.next()) {
    const isSameRange = a.from === b.from && a.to === b.to && a.value.endSide === b.value.endSide;
    if (!isSameRange || !a.value.eq(b.value)) return false;
  }
  return a.value === b.value;
}

function changedRanges(changes: ChangeSet) {
  const ranges: { fromA: number; toA: number; fromB: number; toB: number }[] = [];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => ranges.push({ fromA, toA, fromB, toB }));
  return ranges;
}

/** Markdown that shows what it means while it is typed. */
export const markdown: Extension = ViewPlugin.fromClass(Highlighting, {
  decorations: (plugin) => plugin.decorations,
});
