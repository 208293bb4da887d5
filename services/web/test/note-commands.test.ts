import { EditorState, type StateCommand } from '@codemirror/state';
import { expect, test } from 'vitest';
import {
  continueList,
  deleteItemMark,
  indentItems,
  insertLines,
  insertLink,
  toggleLines,
  toggleMark,
  toggleTask,
} from '../browser/notes/editor/code-mirror/commands.ts';

/** Runs a command on a text whose selection stands between two bars. @returns the same after it */
function run(command: StateCommand, marked: string): string | false {
  const [before = '', selected = '', after] = marked.split('|');
  const anchor = before.length;
  const head = after === undefined ? anchor : anchor + selected.length;
  let state = EditorState.create({
    doc: before + selected + (after ?? ''),
    selection: { anchor, head },
  });
  const isDone = command({ state, dispatch: (transaction) => (state = transaction.state) });
  const { from, to, empty } = state.selection.main;
  const parts = [state.sliceDoc(0, from), state.sliceDoc(from, to), state.sliceDoc(to)];
  return isDone && (empty ? [parts[0], parts[2]] : parts).join('|');
}

test.each<[what: string, command: StateCommand, from: string, to: string | false]>([
  ['makes the selection bold', toggleMark('**'), 'a |b| c', 'a **|b|** c'],
  ['makes what is bold plain', toggleMark('**'), 'a **|b|** c', 'a |b| c'],
  ['begins bold text', toggleMark('**'), 'a |', 'a **|**'],
  ['goes behind what was bold', toggleMark('**'), 'a **b|** c', 'a **b**| c'],
  ['goes behind what was emphasized', toggleMark('_'), 'snake_case _em|_', 'snake_case _em_|'],
  ['takes back marks of nothing', toggleMark('**'), 'a **|**', 'a |'],
  ['begins bold text before other', toggleMark('**'), '**a** |**b**', '**a** **|****b**'],
  ['marks no space', toggleMark('**'), '|one |two', '**|one|** two'],
  ['marks each paragraph', toggleMark('**'), '|one\n\ntwo|', '**|one**\n\n**two|**'],
  ['marks what items say', toggleMark('**'), '|- one\n  1. two|', '- **|one**\n  1. **two|**'],
  ['makes all of it bold', toggleMark('**'), '|say **hello** now|', '**|say hello now|**'],
  ['makes plain what is selected with its marks', toggleMark('**'), '|**b**|', '|b|'],
  ['makes what is between bold too', toggleMark('**'), '|**a** b **c**|', '**|a b c|**'],
  ['makes each line plain', toggleMark('_'), '|- _a_\n- _b_|', '- |a\n- b|'],
  ['keeps half of a pair', toggleMark('`'), '|a `b|` c', '`|a `b|`` c'],
  ['keeps underscores of words', toggleMark('_'), '|a snake_case_b|', '_|a snake_case_b|_'],
  ['makes lines a list', toggleLines('- '), '|a\nb|', '- |a\n- b|'],
  ['makes a list plain lines', toggleLines('- '), '- |a\n- b|', '|a\nb|'],
  ['makes a list tasks', toggleLines('- [ ] '), '- a|', '- [ ] a|'],
  ['makes an indented line a heading', toggleLines('## '), '  # a|', '  ## a|'],
  ['makes the selection a link', insertLink('text'), 'see |it|', 'see [it](|https://|)'],
  ['inserts a link', insertLink('text'), 'see |', 'see [text](|https://|)'],
  ['inserts lines into an empty one', insertLines('---'), 'a\n|', 'a\n---|'],
  ['inserts lines after a blank one', insertLines('---'), 'a| b', 'a b\n\n---|'],
  ['continues a list', continueList, '  - a|', '  - a\n  - |'],
  ['numbers the next item', continueList, '9. a|b', '9. a\n10. |b'],
  ['continues tasks with one that is open', continueList, '* [x] a|', '* [x] a\n* [ ] |'],
  ['continues a quote', continueList, '> a|', '> a\n> |'],
  ['ends a list with a blank line', continueList, '- a\n- |', '- a\n\n|'],
  ['ends a list that has not begun', continueList, '- |', '|'],
  ['leaves Enter in a paragraph alone', continueList, 'a|', false],
  ['leaves Enter before a mark alone', continueList, '|- a', false],
  ['indents an item', indentItems(true), '- a\n- b|', '- a\n  - b|'],
  ['indents a numbered item', indentItems(true), '9. a\n10. |b', '9. a\n    10. |b'],
  ['indents no first item', indentItems(true), '- a|', '- a|'],
  ['takes items out', indentItems(false), '- a\n  - |b\n    - c|', '- a\n- |b\n  - c|'],
  ['leaves Tab in a paragraph alone', indentItems(true), 'a|', false],
  ['deletes the mark of an item as one', deleteItemMark, 'a\n  - [ ] |b', 'a\n|b'],
  ['deletes a letter behind a mark', deleteItemMark, '- b|', false],
  ['marks a task as done', toggleTask, '- [ ] a|', '- [x] a|'],
  ['marks a task as not done', toggleTask, '- [X] |a', '- [ ] |a'],
  ['marks no task where there is none', toggleTask, '- a|', false],
])('%s', (_what, command, from, to) => {
  expect(run(command, from)).toBe(to);
});
