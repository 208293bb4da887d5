import { EditorState, type StateCommand } from '@codemirror/state';
import { expect, test } from 'vitest';
import { goToCell, goToCellBelow } from '../browser/notes/editor/code-mirror/table-cells.ts';

/** Runs a command on a text whose cursor is a caret. @returns the same after it */
function run(command: StateCommand, marked: string): string | false {
  const anchor = marked.indexOf('^');
  let state = EditorState.create({ doc: marked.replace('^', ''), selection: { anchor } });
  const dispatch = (transaction: { state: EditorState }) => (state = transaction.state);
  const isDone = command({ state, dispatch });
  const { head } = state.selection.main;
  return isDone && `${state.sliceDoc(0, head)}^${state.sliceDoc(head)}`;
}

const HEAD = '| a | b |\n| - | - |';

test.each<[what: string, isForward: boolean, from: string, to: string | false]>([
  ['goes behind the text of the next cell', true, '| a^ | b |\n| - | - |', '| a | b^ |\n| - | - |'],
  [
    'goes to the next row',
    true,
    `text\n${HEAD}\n| 1 | 2^ |\n| 3 | 4 |`,
    `text\n${HEAD}\n| 1 | 2 |\n| 3^ | 4 |`,
  ],
  ['goes from the line below the header', true, '|a|b|\n|-|-^|\n|1|2|', '|a|b|\n|-|-|\n|1^|2|'],
  ['goes into an empty cell', true, `${HEAD}\n| 1^ |  |`, `${HEAD}\n| 1 | ^ |`],
  ['adds a row', true, `${HEAD}\n| 1 | 2^ |\n\nb`, `${HEAD}\n| 1 | 2 |\n| ^ |  |\n\nb`],
  [
    'adds a row to one without bars at its ends',
    true,
    'a | b\n-- | --\n1 | 2^',
    'a | b\n-- | --\n1 | 2\n| ^ |  |',
  ],
  ['goes back', false, `${HEAD}\n| 1^ | 2 |`, '| a | b^ |\n| - | - |\n| 1 | 2 |'],
  ['stays in the first cell', false, `| ^a | b |\n| - | - |`, `| ^a | b |\n| - | - |`],
  ['leaves other text alone', true, 'a | b^\n\n' + HEAD, false],
  ['leaves a table of a code block alone', true, '```\n| a^ |\n| - |\n```', false],
  [
    'leaves a table behind an empty line of a code block alone',
    true,
    '```\n\n| a^ |\n| - |\n\n```',
    false,
  ],
])('%s', (_what, isForward, from, to) => {
  expect(run(goToCell(isForward), from)).toBe(to);
});

test.each<[what: string, from: string, to: string | false]>([
  ['goes to the cell below', `${HEAD}\n| 1 | 2^ |\n| 3 | 4 |`, `${HEAD}\n| 1 | 2 |\n| 3 | 4^ |`],
  [
    'goes from the header to the first row',
    `| a^ | b |\n| - | - |\n| 1 | 2 |`,
    `${HEAD}\n| 1^ | 2 |`,
  ],
  ['adds a row', `${HEAD}\n| 1 | 2^ |\n\nb`, `${HEAD}\n| 1 | 2 |\n| ^ |  |\n\nb`],
  ['leaves the end of a row alone', `${HEAD}\n| 1 | 2 |^`, false],
  ['leaves a row that is being written alone', `${HEAD}\n| 1^`, false],
])('Enter %s', (_what, from, to) => {
  expect(run(goToCellBelow, from)).toBe(to);
});
