import type { ChangeSet, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Tree, TreeFragment } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { afterPaint } from '../../after-paint.ts';
import classes from './code-mirror.module.css';
import { language, PARSED_FIRST_CHARACTERS } from './language.ts';
import { liveMarks } from './live-marks.ts';
import { isFocused, linkedNotes } from './surface-context.ts';
import { setTables, type TableRange, tableRanges, tablesOf } from './tables.ts';

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
  { tag: tags.quote, class: styleOf('quote') },
  { tag: tags.atom, class: styleOf('task') },
  // The signs of Markdown itself.
  { tag: [tags.processingInstruction, tags.url, tags.labelName], class: styleOf('sign') },
  { tag: tags.contentSeparator, class: styleOf('sign') },
]);

/** Blocks whose lines have a size, a ground or an edge of their own. */
const BLOCK_LINES: Record<string, Decoration> = {
  ATXHeading1: Decoration.line({ class: styleOf('headingLine1') }),
  ATXHeading2: Decoration.line({ class: styleOf('headingLine2') }),
  ATXHeading3: Decoration.line({ class: styleOf('headingLine3') }),
  FencedCode: Decoration.line({ class: styleOf('codeLine') }),
  CodeBlock: Decoration.line({ class: styleOf('codeLine') }),
  Table: Decoration.line({ class: styleOf('tableLine') }),
  Blockquote: Decoration.line({ class: styleOf('quoteLine') }),
};

const CODE_START = Decoration.line({ class: styleOf('codeStart') });
const CODE_END = Decoration.line({ class: styleOf('codeEnd') });

/** Decorates only the lines in view, so that a long note costs no more than a short one. */
function decorate(view: EditorView, tree: Tree, isLive: boolean): DecorationSet {
  const { state } = view;
  const { doc } = state;
  const ranges: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    if (isLive) ranges.push(...liveMarks(state, tree, from, to));
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
          // Where blocks are nested, the outer one counts.
          if (line.from > decoratedTo) ranges.push(decoration.range(line.from));
          if (node.name === 'FencedCode' && line.from <= node.from)
            ranges.push(CODE_START.range(line.from));
          if (node.name === 'FencedCode' && line.to >= node.to)
            ranges.push(CODE_END.range(line.from));
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
  /** Whether the signs of Markdown are shown only where the cursor is. */
  readonly #isLive: boolean;
  #tree: Tree;
  /** What can be used of the tree once the text has changed. */
  #fragments: readonly TreeFragment[] = [];
  #isScheduled = false;
  /** Whether the text has changed since it was parsed. */
  #isStale = false;
  #isDestroyed = false;

  constructor(view: EditorView, isLive: boolean) {
    this.#view = view;
    this.#isLive = isLive;
    this.#tree = this.#parse(Math.max(PARSED_FIRST_CHARACTERS, view.viewport.to));
    this.decorations = decorate(view, this.#tree, isLive);
    if (view.state.doc.length > PARSED_FIRST_CHARACTERS) void this.#parseAfterPaint();
  }

  update({ docChanged, changes, viewportChanged, selectionSet, startState, state }: ViewUpdate) {
    const isMoved =
      this.#isLive &&
      (selectionSet ||
        startState.field(isFocused) !== state.field(isFocused) ||
        startState.field(linkedNotes) !== state.field(linkedNotes));
    if (docChanged) {
      this.decorations = moved(this.decorations, changes);
      this.#fragments = TreeFragment.applyChanges(this.#fragments, changedRanges(changes));
      this.#isStale = true;
      void this.#parseAfterPaint();
    } else if ((viewportChanged || isMoved) && !this.#isStale) {
      if (this.#view.viewport.to > this.#tree.length) this.#tree = this.#parse();
      this.decorations = decorate(this.#view, this.#tree, this.#isLive);
    }
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  #parse(to = this.#view.state.doc.length): Tree {
    const { doc } = this.#view.state;
    const tree = language.parse(doc.sliceString(0, to), this.#fragments);
    this.#fragments = TreeFragment.addTree(tree, [], to < doc.length);
    this.#isStale = false;
    return tree;
  }

  async #parseAfterPaint(): Promise<void> {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    await afterPaint();
    this.#isScheduled = false;
    if (this.#isDestroyed) return;
    this.#tree = this.#parse();
    const decorations = decorate(this.#view, this.#tree, this.#isLive);
    const tables = tablesOf(this.#tree);
    const isSame = !this.#isLive || isSameRanges(tables, this.#view.state.field(tableRanges));
    // Most keys go on with a word and change no style.
    if (isSame && isEqual(this.decorations, decorations)) return;
    this.decorations = decorations;
    this.#view.dispatch({ effects: setTables.of(tables) });
  }
}

/** Decorations moved by a change. What stood for a text that is changed would stand for another one. */
function moved(decorations: DecorationSet, changes: ChangeSet): DecorationSet {
  let kept = decorations;
  changes.iterChangedRanges((start, end, newStart, newEnd) => {
    // The box of a task that is ticked stays, and has the focus.
    if (end - start === 1 && newEnd - newStart === 1) return;
    const filter = (from: number, to: number, { point, spec }: Decoration) =>
      !point || spec.class !== undefined || end <= from || start >= to;
    kept = kept.update({ filterFrom: start, filterTo: end, filter });
  });
  return kept.map(changes);
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

const isSameRanges = (some: readonly TableRange[], others: readonly TableRange[]) =>
  some.length === others.length &&
  some.every(({ from, to }, at) => from === others[at]?.from && to === others[at].to);

function changedRanges(changes: ChangeSet) {
  const ranges: { fromA: number; toA: number; fromB: number; toB: number }[] = [];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => ranges.push({ fromA, toA, fromB, toB }));
  return ranges;
}

const provide = { decorations: (plugin: Highlighting) => plugin.decorations };

/** Markdown that shows what it means while it is typed, its signs only where the cursor is. */
export const liveMarkdown = ViewPlugin.define((view) => new Highlighting(view, true), provide);

/** Markdown as it is written. */
export const plainMarkdown = ViewPlugin.define((view) => new Highlighting(view, false), provide);
