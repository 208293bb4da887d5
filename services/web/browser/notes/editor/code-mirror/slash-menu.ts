import {
  autocompletion,
  type Completion,
  type CompletionContext,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { EditorState, StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** A slash at the beginning of a line offers blocks; what is typed after it finds one of them. */
export function addSlashMenu(
  editor: EditorView,
  blocks: readonly { label: string; markdown: string }[],
  label: string,
): void {
  const source = (context: CompletionContext) => {
    const typed = context.matchBefore(/^\s*\/[\p{L}\p{N} ]*$/u);
    if (typed === null) return null;
    const slash = typed.from + typed.text.indexOf('/');
    return {
      from: slash + 1,
      options: blocks.map(({ label: name, markdown }) => ({
        label: name,
        apply: (view: EditorView, completion: Completion, _from: number, to: number) => {
          const [start = '', after = ''] = markdown.split('\0');
          // A block of several lines is not a part of the paragraph above it.
          const line = view.state.doc.lineAt(slash);
          const above = line.number === 1 ? '' : view.state.doc.line(line.number - 1).text;
          const before = above.trim() !== '' && markdown.includes('\n') ? `\n${start}` : start;
          view.dispatch({
            changes: { from: slash, to, insert: before + after },
            selection: { anchor: slash + before.length },
            annotations: pickedCompletion.of(completion),
            userEvent: 'input.complete',
          });
        },
      })),
      validFor: /^[\p{L}\p{N} ]*$/u,
    };
  };
  const menu = [
    autocompletion({ override: [source], icons: false }),
    EditorState.phrases.of({ Completions: label }),
  ];
  editor.dispatch({ effects: StateEffect.appendConfig.of(menu) });
  startCompletion(editor);
}
