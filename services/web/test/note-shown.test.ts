import { history, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShowReason } from '../browser/notes/saving/saving-state.ts';
import { showContent } from '../browser/notes/editor/code-mirror/show-content.ts';

/** An editor without a page, whose cursor is a caret. */
function openEditor(marked: string) {
  const anchor = Math.max(marked.indexOf('^'), 0);
  let state = EditorState.create({
    doc: marked.replace('^', ''),
    selection: { anchor },
    extensions: history(),
  });
  const target = {
    get state() {
      return state;
    },
    dispatch: (...specs: TransactionSpec[]) => (state = state.update(...specs).state),
  };
  const text = () => state.doc.toString();
  return {
    text,
    show: (content: string, reason: ShowReason = 'merged') => showContent(target, content, reason),
    type: (insert: string) => target.dispatch(state.replaceSelection(insert)),
    delete: (part: string) => {
      const from = text().indexOf(part);
      target.dispatch({ changes: { from, to: from + part.length }, userEvent: 'delete' });
    },
    undo: () => undo({ state, dispatch: (transaction) => (state = transaction.state) }),
    cursor: () => state.selection.main.head,
  };
}

test.each<[what: string, marked: string, shown: string, typed: string]>([
  [
    'words before it',
    'The fox jumps over the lazy^ dog.',
    'The little clever fox jumps over the lazy dog.',
    'The little clever fox jumps over the lazy! dog.',
  ],
  ['words on both sides', 'one two^ three', 'ONE two THREE', 'ONE two! THREE'],
  ['the word behind it', 'the lazy^ dog', 'the lazy cat', 'the lazy! cat'],
  ['the end of its word', 'laz^ dog', 'lazy dogs', 'laz!y dogs'],
  ['words that have no spaces', '春の^海', '春の海辺', '春の!海辺'],
  ['the paragraph below its empty line', 'one\n\n^\n\ntwo', 'one\n\n\n\nTWO', 'one\n\n!\n\nTWO'],
  ['all paragraphs around it', '# a\n\n^\n\nb\nc', '# A\n\n\n\nB\nC', '# A\n\n!\n\nB\nC'],
  ['the line below', '- eggs^', '- eggs\n- bread', '- eggs!\n- bread'],
])('goes on where the cursor was when others have changed %s', (_what, marked, shown, typed) => {
  const editor = openEditor(marked);
  editor.show(shown);
  expect(editor.text()).toBe(shown);
  editor.type('!');
  expect(editor.text()).toBe(typed);
});

test('undoes what was typed where it was, and nothing of what others have written since', () => {
  const editor = openEditor('The fox jumps over the lazy dog.\n\n- milk\n- eggs');
  editor.delete('lazy ');
  editor.show('The fox leaps over the dog.\n\n- milk\n- bread\n- eggs');
  editor.undo();
  expect(editor.text()).toBe('The fox leaps over the lazy dog.\n\n- milk\n- bread\n- eggs');
  editor.undo();
  expect(editor.text()).toBe('The fox leaps over the lazy dog.\n\n- milk\n- bread\n- eggs');
});

test('undoes what the user has chosen, and then what was typed before', () => {
  const editor = openEditor('- milk^\n- bread');
  editor.type('!');
  editor.show('- milk!\n- eggs\n- bread');
  editor.show('- milk\n- eggs\n- bread', 'chosen');
  editor.undo();
  expect(editor.text()).toBe('- milk!\n- eggs\n- bread');
  editor.undo();
  expect(editor.text()).toBe('- milk\n- eggs\n- bread');
});

test('shows any text in the place of any other', () => {
  const parts = fc.array(fc.constantFrom('a', 'be', ' ', '\n', '\n\n', '- ', '😀', '😁', 'é'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(parts, parts, (from, to) => {
      const editor = openEditor(from.join(''));
      editor.show(to.join(''));
      expect(editor.text()).toBe(to.join(''));
    }),
  );
});
