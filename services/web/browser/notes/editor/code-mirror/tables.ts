import { EditorSelection, type EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, WidgetType } from '@codemirror/view';
import type { SyntaxNode, Tree } from '@lezer/common';
import { safeUrl } from './urls.ts';
import { language, PARSED_FIRST_CHARACTERS, titleOf } from './language.ts';
import { targetOf } from './links.ts';
import classes from './live.module.css';
import { isTouched } from './live-marks.ts';
import { isFocused, surfaceContext } from './surface-context.ts';
import { cellsOf, escapeBars } from './table-cells.ts';

export interface TableRange {
  from: number;
  to: number;
}

export const setTables = StateEffect.define<readonly TableRange[]>();

/** Where the tables of a text are, in the order of the text. */
export function tablesOf(tree: Tree): TableRange[] {
  const tables: TableRange[] = [];
  tree.iterate({
    enter({ name, from, to }) {
      if (name === 'Table') tables.push({ from, to });
      return name === 'Document';
    },
  });
  return tables;
}

/** Where the tables are; in a text that has changed since it was parsed, where they have moved to. */
export const tableRanges = StateField.define<readonly TableRange[]>({
  // What is below follows when all of it is parsed.
  create: ({ doc }) => tablesOf(language.parse(doc.sliceString(0, PARSED_FIRST_CHARACTERS))),
  update(tables, { changes, docChanged, effects }) {
    const found = effects.find((effect) => effect.is(setTables));
    if (found !== undefined) return found.value;
    if (!docChanged || tables.length === 0) return tables;
    return tables
      .map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
      .filter(({ from, to }) => from < to);
  },
});

/** Shows each table as one, where the cursor is not in it. */
const shownTables = EditorView.decorations.compute(
  [tableRanges, isFocused, 'selection', 'doc'],
  (state) =>
    Decoration.set(
      closedTables(state).map(({ from, to }) =>
        Decoration.replace({ widget: new Table(state.sliceDoc(from, to)), block: true }).range(
          from,
          to,
        ),
      ),
    ),
);

function closedTables(state: EditorState): TableRange[] {
  const { doc } = state;
  return state
    .field(tableRanges)
    .filter(
      ({ from, to }) =>
        doc.lineAt(from).from === from && doc.lineAt(to).to === to && !isTouched(state, from, to),
    );
}

const ROW_PX = 38;

class Table extends WidgetType {
  readonly source: string;

  constructor(source: string) {
    super();
    this.source = source;
  }

  override eq({ source }: Table): boolean {
    return source === this.source;
  }

  override get estimatedHeight(): number {
    return (this.source.split('\n').length - 1) * ROW_PX;
  }

  toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement('div');
    frame.className = classes['table'] ?? '';
    const table = document.createElement('table');
    const parsed = language.parse(this.source).topNode.getChild('Table');
    const alignments = alignmentsOf(parsed, this.source);
    const header = parsed?.getChild('TableHeader');
    const rows = parsed?.getChildren('TableRow') ?? [];
    for (const row of header ? [header, ...rows] : rows) {
      const line = table.insertRow();
      const cells = cellsOf(row, this.source);
      for (const [column, alignment] of alignments.entries()) {
        const cell = document.createElement(row === header ? 'th' : 'td');
        if (alignment !== '') cell.className = classes[alignment] ?? '';
        const content = cells[column];
        if (content !== undefined) {
          cell.dataset['from'] = String(content.from);
          if (content.node !== undefined) showInline(content.node, this.source, cell);
        }
        line.append(cell);
      }
    }
    frame.append(table);
    frame.addEventListener('mousedown', (event) => {
      if (event.button !== 0 || !(event.target instanceof Element)) return;
      event.preventDefault();
      const link = event.target.closest('a');
      if (link !== null && (event.ctrlKey || event.metaKey)) {
        view.state.facet(surfaceContext).open(targetOf(link));
        return;
      }
      const cell = event.target.closest<HTMLElement>('[data-from]');
      const anchor = view.posAtDOM(frame) + Number(cell?.dataset['from'] ?? 0);
      view.dispatch({ selection: { anchor } });
      view.focus();
    });
    return frame;
  }
}

/** The alignment of each column, from the line below the header. */
function alignmentsOf(table: SyntaxNode | null | undefined, source: string): string[] {
  const delimiter = table?.getChild('TableDelimiter');
  if (!delimiter) return [];
  const columns = source.slice(delimiter.from, delimiter.to).match(/:?-+:?/g) ?? [];
  return columns.map((column) => {
    if (!column.endsWith(':')) return '';
    return column.startsWith(':') ? 'center' : 'right';
  });
}

const ELEMENTS: Record<string, 'strong' | 'em' | 's' | 'code' | 'a' | 'span'> = {
  StrongEmphasis: 'strong',
  Emphasis: 'em',
  Strikethrough: 's',
  InlineCode: 'code',
  Link: 'a',
  TitleLink: 'a',
};
const SIGNS = ['Mark', 'URL', 'LinkTitle', 'LinkLabel'];

/** Builds what a cell shows of elements and their text: nothing of a note is ever read as HTML. */
function showInline(node: SyntaxNode, source: string, parent: HTMLElement): void {
  let position = node.from;
  const addText = (end: number) =>
    parent.append(source.slice(position, end).replaceAll('\\|', '|'));
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    addText(child.from);
    position = child.to;
    const { name } = child;
    const isBare = name === 'URL' && !['Link', 'Image'].includes(node.name);
    if (!isBare && SIGNS.some((sign) => name.endsWith(sign))) continue;
    const element = document.createElement(ELEMENTS[name] ?? 'span');
    if (element instanceof HTMLAnchorElement) leadTo(element, child, source);
    showInline(child, source, element);
    parent.append(element);
  }
  addText(node.to);
}

function leadTo(link: HTMLAnchorElement, node: SyntaxNode, source: string): void {
  const written = source.slice(node.from, node.to);
  const url = node.getChild('URL');
  const href = url && safeUrl(source.slice(url.from, url.to));
  if (href) link.href = href;
  if (node.name === 'TitleLink') link.dataset['title'] = titleOf(written);
  link.className = classes['link'] ?? '';
}

/** The arrow keys go into a table as into any other line. */
function enterTable(isForward: boolean) {
  return (view: EditorView): boolean => {
    const { main } = view.state.selection;
    if (!main.empty) return false;
    const next = view.moveVertically(main, isForward);
    const lineAtHead = view.state.doc.lineAt(main.head);
    const table = closedTables(view.state).find(({ from, to }) =>
      isForward ? from === lineAtHead.to + 1 : to === lineAtHead.from - 1,
    );
    const staysInLine =
      next.head !== main.head && next.head >= lineAtHead.from && next.head < lineAtHead.to;
    if (table === undefined || staysInLine) return false;
    const line = view.state.doc.lineAt(isForward ? table.from : table.to);
    const selection = EditorSelection.cursor(line.from);
    view.dispatch({ selection, scrollIntoView: true, userEvent: 'select' });
    return true;
  };
}

export const tables = [
  tableRanges,
  shownTables,
  escapeBars,
  keymap.of([
    { key: 'ArrowDown', run: enterTable(true) },
    { key: 'ArrowUp', run: enterTable(false) },
  ]),
];
