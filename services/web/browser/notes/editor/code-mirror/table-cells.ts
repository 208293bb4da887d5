import type { EditorState, StateCommand } from '@codemirror/state';
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
    const { stops, end, columns } = table;
    const current = stops.findLastIndex(({ from }) => from <= head);
    const stop = stops[isForward ? current + 1 : current - 1];
    if (stop !== undefined) {
      dispatch(
        state.update({ selection: { anchor: stop.to }, scrollIntoView: true, userEvent: 'select' }),
      );
    } else if (isForward) {
      const start = '\n| ';
      dispatch(
        state.update({
          changes: { from: end, insert: `${start} |${'  |'.repeat(columns - 1)}` },
          selection: { anchor: end + start.length },
          scrollIntoView: true,
          userEvent: 'input',
        }),
      );
    }
    return true;
  };
}

/** The table at a position, with where the text of each cell begins and ends. */
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
    cellsOf(row, source),
  );
  const stops = rows.flat().map(({ from, node }) => ({ from, to: node?.to ?? from }));
  return { stops, end: table.to, columns: rows[0]?.length ?? 1 };
}
