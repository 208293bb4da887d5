import type { EditorState, StateCommand } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { language } from './language.ts';

interface Cell {
  from: number;
  /** Undefined for an empty one. */
  node: SyntaxNode | undefined;
}

/** The cells of a row. */
export function cellsOf(row: SyntaxNode, source: string): Cell[] {
  const cells: Cell[] = [];
  const bars = row.getChildren('TableDelimiter');
  const startsWithBar = bars[0]?.from === row.from;
  const ends = (startsWithBar ? bars.slice(1) : bars).map(({ from }) => from);
  if (!source.slice(row.from, row.to).trimEnd().endsWith('|')) ends.push(row.to);
  let from = startsWithBar ? row.from + 1 : row.from;
  for (const end of ends) {
    const start = from;
    const node = row.getChildren('TableCell').find((cell) => cell.from >= start && cell.to <= end);
    cells.push({ from: node?.from ?? Math.min(start + 1, end), node });
    from = end + 1;
  }
  return cells;
}

/** Goes to the next cell of a table, or to the previous one; behind the last cell a row is added. */
export function goToCell(isForward: boolean): StateCommand {
  return ({ state, dispatch }) => {
    const { head } = state.selection.main;
    const table = tableAt(state, head);
    if (table === undefined) return false;
    const stops = table.rows.flat();
    const current = stops.findLastIndex(({ from }) => from <= head);
    const stop = stops[isForward ? current + 1 : current - 1];
    if (stop !== undefined) goTo(state, dispatch, stop.to);
    else if (isForward) addRow(state, dispatch, table);
    return true;
  };
}

/** Goes to the cell below, and from the last row to a new one; at the end of a row a line begins as elsewhere. */
export const goToCellBelow: StateCommand = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  if (!empty || !isWithinRow(state, head)) return false;
  const table = tableAt(state, head);
  if (table === undefined) return false;
  const { rows } = table;
  const row = rows.findLastIndex(([first]) => (first?.from ?? 0) <= head);
  const column = rows[row]?.findLastIndex(({ from }) => from <= head) ?? 0;
  const stop = rows[row + 1]?.[column] ?? rows[row + 1]?.[0];
  if (stop === undefined) addRow(state, dispatch, table);
  else goTo(state, dispatch, stop.to);
  return true;
};

/** A bar that is typed in a cell is a part of its text. */
export const escapeBars = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view;
  const isBar = text === '|' && state.sliceDoc(from - 1, from) !== '\\';
  if (!isBar || !isWithinRow(state, to) || tableAt(state, from) === undefined) return false;
  const insert = '\\|';
  const selection = { anchor: from + insert.length };
  view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.type' });
  return true;
});

/** Whether a bar closes the cell of this position: a row that is being written by hand has none there. */
function isWithinRow({ doc }: EditorState, position: number): boolean {
  const { from, text } = doc.lineAt(position);
  return text.includes('|', position - from);
}

type Dispatch = Parameters<StateCommand>[0]['dispatch'];

function goTo(state: EditorState, dispatch: Dispatch, anchor: number): void {
  dispatch(state.update({ selection: { anchor }, scrollIntoView: true, userEvent: 'select' }));
}

function addRow(
  state: EditorState,
  dispatch: Dispatch,
  { end, rows }: { end: number; rows: readonly unknown[][] },
): void {
  const start = '\n| ';
  const columns = rows[0]?.length ?? 1;
  dispatch(
    state.update({
      changes: { from: end, insert: `${start} |${'  |'.repeat(columns - 1)}` },
      selection: { anchor: end + start.length },
      scrollIntoView: true,
      userEvent: 'input',
    }),
  );
}

/** The table at a position: where the text of each cell of each row begins and ends. */
function tableAt({ doc }: EditorState, position: number) {
  if (!doc.lineAt(position).text.includes('|')) return undefined;
  // Only what stands above tells whether this is code.
  const source = doc.toString();
  const table = language
    .parse(source)
    .topNode.getChildren('Table')
    .find(({ from, to }) => from <= position && position <= to);
  if (table === undefined) return undefined;
  const rows = [...table.getChildren('TableHeader'), ...table.getChildren('TableRow')].map((row) =>
    cellsOf(row, source).map(({ from, node }) => ({ from, to: node?.to ?? from })),
  );
  return { rows, end: table.to };
}
