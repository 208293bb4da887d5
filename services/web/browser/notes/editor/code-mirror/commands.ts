import { EditorSelection, type StateCommand, type Text } from '@codemirror/state';

/** What begins a line of a heading, a list, a task list or a quote. */
const LINE_MARK = /^(#{1,6} |[-*+] (\[[ xX]\] )?|\d+[.)] |> )/;
const LIST_ITEM = /^(\s*)(?:([-*+])|(\d+)([.)])|(>))( \[[ xX]\])? /;

/** Puts the selection between two marks, or takes them away. */
export function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const { length } = mark;
    const changes = state.changeByRange(({ from, to }) => {
      const isMarked =
        state.sliceDoc(from - length, from) === mark && state.sliceDoc(to, to + length) === mark;
      return isMarked
        ? {
            changes: [
              { from: from - length, to: from },
              { from: to, to: to + length },
            ],
            range: EditorSelection.range(from - length, to - length),
          }
        : {
            changes: [
              { from, insert: mark },
              { from: to, insert: mark },
            ],
            range: EditorSelection.range(from + length, to + length),
          };
    });
    dispatch(state.update(changes, { scrollIntoView: true, userEvent: 'input.format' }));
    return true;
  };
}

/** Begins the selected lines with a mark in the place of another one, or takes it away when all have it. */
export function toggleLines(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const lines = selectedLines(state.doc, state.selection.main);
    const isMarked = lines.every(({ text }) => LINE_MARK.exec(text.trimStart())?.[0] === mark);
    const changes = lines.map(({ from, text }) => {
      const start = from + text.length - text.trimStart().length;
      const present = LINE_MARK.exec(text.trimStart())?.[0] ?? '';
      return { from: start, to: start + present.length, insert: isMarked ? '' : mark };
    });
    const selection = state.changes(changes).mapPos(state.selection.main.head, 1);
    const range = state.selection.main.empty ? { selection: { anchor: selection } } : {};
    dispatch(state.update({ changes, ...range, scrollIntoView: true, userEvent: 'input.format' }));
    return true;
  };
}

function selectedLines(doc: Text, { from, to }: { from: number; to: number }) {
  const first = doc.lineAt(from).number;
  return Array.from({ length: doc.lineAt(to).number - first + 1 }, (_, i) => doc.line(first + i));
}

/** Makes the selection a link, and selects where its URL goes. */
export function insertLink(placeholder: string): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const label = state.sliceDoc(from, to) || placeholder;
    const url = 'https://';
    const start = from + label.length + 3;
    dispatch(
      state.update({
        changes: { from, to, insert: `[${label}](${url})` },
        selection: { anchor: start, head: start + url.length },
        scrollIntoView: true,
        userEvent: 'input.format',
      }),
    );
    return true;
  };
}

/** Inserts lines of their own and puts the cursor behind them. */
export function insertLines(lines: string): StateCommand {
  return ({ state, dispatch }) => {
    const line = state.doc.lineAt(state.selection.main.head);
    const before = line.text.trim() === '' ? '' : '\n\n';
    const insert = `${before}${lines}`;
    const from = before === '' ? line.from : line.to;
    dispatch(
      state.update({
        changes: { from, to: line.to, insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
        userEvent: 'input.format',
      }),
    );
    return true;
  };
}

/** Enter in a list begins its next item; in an empty item it ends the list, with the blank line that ends one. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const match = LIST_ITEM.exec(line.text);
  if (!empty || match === null || head < line.from + match[0].length) return false;
  const [mark, indent = '', bullet, number, dot = '', quote, task] = match;
  if (mark.length === line.text.length) {
    const isAfterItem = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
    const insert = isAfterItem ? '\n' : '';
    dispatch(
      state.update({
        changes: { from: line.from, to: line.to, insert },
        selection: { anchor: line.from + insert.length },
        scrollIntoView: true,
        userEvent: 'input',
      }),
    );
    return true;
  }
  const next = bullet ?? quote ?? `${Number(number) + 1}${dot}`;
  const insert = `\n${indent}${next}${task === undefined ? '' : ' [ ]'} `;
  dispatch(
    state.update({
      changes: { from: head, insert },
      selection: { anchor: head + insert.length },
      scrollIntoView: true,
      userEvent: 'input',
    }),
  );
  return true;
};

/** Backspace behind the mark of an item takes all of it away, which one sees as one sign. */
export const deleteItemMark: StateCommand = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const { from, text } = state.doc.lineAt(head);
  const [mark = ''] = LIST_ITEM.exec(text) ?? [];
  if (!empty || mark === '' || head !== from + mark.length) return false;
  const changes = { from, to: head };
  dispatch(state.update({ changes, scrollIntoView: true, userEvent: 'delete.backward' }));
  return true;
};

/** Marks the task of this line as done, or as not done. */
export const toggleTask: StateCommand = ({ state, dispatch }) => {
  const line = state.doc.lineAt(state.selection.main.head);
  const match = /^\s*[-*+] \[([ xX])\]/.exec(line.text);
  if (match === null) return false;
  const at = line.from + match[0].length - 2;
  const insert = match[1] === ' ' ? 'x' : ' ';
  dispatch(state.update({ changes: { from: at, to: at + 1, insert }, userEvent: 'input.format' }));
  return true;
};

/** Makes the list items of the selected lines parts of the item above them, or takes them out of theirs. */
export function indentItems(isDeeper: boolean): StateCommand {
  return ({ state, dispatch }) => {
    const lines = selectedLines(state.doc, state.selection.main);
    const items = lines.flatMap(({ from, number, text }) => {
      const [mark, indent = '', bullet, digits = ''] = LIST_ITEM.exec(text) ?? [];
      if (mark === undefined || mark.includes('>')) return [];
      return { from, number, indent, width: bullet === undefined ? digits.length + 2 : 2 };
    });
    const [first] = items;
    if (first === undefined) return false;
    const above = first.number > 1 ? state.doc.line(first.number - 1).text : '';
    // Without an item above it would become code.
    if (isDeeper && !LIST_ITEM.test(above)) return true;
    const changes = items.map(({ from, indent, width }) =>
      isDeeper
        ? { from, insert: ' '.repeat(width) }
        : { from, to: from + Math.min(width, indent.length) },
    );
    dispatch(state.update({ changes, scrollIntoView: true, userEvent: 'input.indent' }));
    return true;
  };
}
