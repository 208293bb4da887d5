import type { Line, StateCommand, Text } from '@codemirror/state';

/** What begins a line of a heading, a list, a task list or a quote. */
const LINE_MARK = /^(#{1,6} |[-*+] (\[[ xX]\] )?|\d+[.)] |> )/;
/** An underscore within a word is no mark. */
const MARKS: Record<string, RegExp> = {
  '**': /\*\*/g,
  _: /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
  '`': /`/g,
};
const LIST_ITEM = /^(\s*)(?:([-*+])|(\d+)([.)])|(>))( \[[ xX]\])? /;

/**
 * Puts what is selected of each line between two marks, or takes the marks away when all has them. Without a
 * selection it puts the cursor between two marks, or behind the mark that closes what is written.
 */
export function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to, empty } = state.selection.main;
    const { length } = mark;
    const marksAround = (start: number, end: number) =>
      state.sliceDoc(start - length, start) === mark && state.sliceDoc(end, end + length) === mark
        ? [
            { from: start - length, to: start },
            { from: end, to: end + length },
          ]
        : undefined;
    const between = (start: number, end: number) => [
      { from: start, insert: mark },
      { from: end, insert: mark },
    ];
    const userEvent = 'input.format';
    if (empty) {
      const isBehindText =
        state.sliceDoc(from, from + length) === mark && isOpen(state.doc.lineAt(from), from, mark);
      const selection = { anchor: from + length };
      const changes = marksAround(from, from);
      if (changes !== undefined) dispatch(state.update({ changes, userEvent }));
      else if (isBehindText) dispatch(state.update({ selection, userEvent: 'select' }));
      else dispatch(state.update({ changes: between(from, from), selection, userEvent }));
      return true;
    }
    const parts = partsOf(state.doc, from, to).map((part) => {
      const text = state.sliceDoc(part.from + length, part.to - length);
      const isInside = part.to - part.from > 2 * length && !text.includes(mark);
      const inside = isInside ? marksAround(part.from + length, part.to - length) : undefined;
      return { ...part, own: inside ?? marksAround(part.from, part.to) };
    });
    const isMarked = parts.every(({ own }) => own !== undefined);
    const changes = parts.flatMap((part) => {
      if (isMarked) return part.own ?? [];
      if (part.own !== undefined) return [];
      const marked = marksIn(state.sliceDoc(part.from, part.to), mark);
      const removed = marked.map((at) => ({ from: part.from + at, to: part.from + at + length }));
      return [...between(part.from, part.to), ...removed];
    });
    const set = state.changes(changes);
    const anchor = set.mapPos(parts[0]?.from ?? from, 1);
    const selection = { anchor, head: set.mapPos(parts.at(-1)?.to ?? to, -1) };
    dispatch(state.update({ changes: set, selection, scrollIntoView: true, userEvent }));
    return true;
  };
}

/** Whether a mark stands before what is written directly before this position. */
function isOpen({ from, text }: Line, position: number, mark: string): boolean {
  const before = text.slice(0, position - from);
  const start = before.lastIndexOf(mark);
  return start !== -1 && /^\S/.test(before.slice(start + mark.length));
}

/** What is selected of each line, without what begins it and without the spaces around it: marks cannot stand there. */
function partsOf(doc: Text, from: number, to: number): { from: number; to: number }[] {
  return selectedLines(doc, { from, to }).flatMap((line) => {
    const content = line.text.trimStart();
    const mark = LINE_MARK.exec(content)?.[0] ?? '';
    const start = Math.max(from, line.from + line.text.length - content.length + mark.length);
    const selected = doc.sliceString(start, Math.max(start, Math.min(to, line.to)));
    const text = selected.trim();
    const first = start + selected.indexOf(text);
    return text === '' ? [] : [{ from: first, to: first + text.length }];
  });
}

/** Where the marks of pairs are in a text; none when one of a pair is elsewhere. */
function marksIn(text: string, mark: string): number[] {
  const found = [...text.matchAll(MARKS[mark] ?? /$^/g)].map(({ index }) => index);
  return found.length % 2 === 0 ? found : [];
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
