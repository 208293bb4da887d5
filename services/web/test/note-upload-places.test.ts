import { EditorState, type Transaction } from '@codemirror/state';
import { expect, test } from 'vitest';
import {
  releasePlace,
  reservePlace,
  uploadPlaces,
} from '../browser/notes/editor/code-mirror/upload-places.ts';

/** An editor without a page, whose cursor is a caret. */
function openEditor(marked: string) {
  const anchor = marked.indexOf('^');
  const doc = marked.replace('^', '');
  const extensions = uploadPlaces(() => undefined);
  let state = EditorState.create({ doc, selection: { anchor }, extensions });
  const target = {
    get state() {
      return state;
    },
    dispatch: (transaction: Transaction) => (state = transaction.state),
  };
  return {
    paste: (id: number) =>
      reservePlace(target, { id, at: state.selection.main.head, name: `${id}.png` }),
    type: (text: string) => target.dispatch(state.update(state.replaceSelection(text))),
    end: (id: number, markdown?: string) => releasePlace(target, id, markdown),
    marked: () => {
      const { head } = state.selection.main;
      return `${state.sliceDoc(0, head)}^${state.sliceDoc(head)}`;
    },
  };
}

test('a file stands where it was pasted, before what is typed meanwhile', () => {
  const editor = openEditor('See^');
  editor.paste(1);
  editor.type(' below');
  editor.end(1, '![1]');
  expect(editor.marked()).toBe('See ![1] below^');
});

test('files that are pasted together stay in their order, whichever is there first', () => {
  for (const order of [
    [1, 2, 3],
    [3, 1, 2],
    [2, 3, 1],
  ]) {
    const editor = openEditor('^');
    for (const id of [1, 2, 3]) editor.paste(id);
    editor.type('below');
    for (const id of order) editor.end(id, `![${id}]`);
    expect(editor.marked()).toBe('![1] ![2] ![3] below^');
  }
});

test('what is typed next stands behind a file, or where one was cancelled', () => {
  const editor = openEditor('a ^b');
  editor.paste(1);
  editor.paste(2);
  editor.end(2);
  editor.end(1, '![1]');
  editor.type('!');
  expect(editor.marked()).toBe('a ![1] !^b');
});
