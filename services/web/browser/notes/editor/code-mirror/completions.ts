import {
  autocompletion,
  type Completion,
  type CompletionContext,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { EditorState, StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

export interface Completions {
  blocks: readonly { label: string; markdown: string }[];
  /** The titles of notes to which this one may link. */
  findTitles: (typed: string) => Promise<string[]>;
  /** Names the list of what is offered. */
  label: string;
}

/**
 * A slash at the beginning of a line offers blocks; what is typed after it finds one of them. After two brackets
 * the titles of notes are offered.
 */
export function addCompletions(editor: EditorView, completions: Completions): void {
  const { blocks, findTitles, label } = completions;
  const blockSource = (context: CompletionContext) => {
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
  const titleSource = async (context: CompletionContext) => {
    const typed = context.matchBefore(/\[\[[^[\]|\n]{1,200}$/);
    if (typed === null) return null;
    const titles = await findTitles(typed.text.slice(2));
    if (context.aborted) return null;
    return {
      from: typed.from + 2,
      options: titles.map((title) => ({ label: title, apply: applyTitle })),
      filter: false,
    };
  };
  const menu = [
    autocompletion({ override: [blockSource, titleSource], icons: false }),
    EditorState.phrases.of({ Completions: label }),
  ];
  editor.dispatch({ effects: StateEffect.appendConfig.of(menu) });
  startCompletion(editor);
}

/** The brackets behind it are not written twice. */
function applyTitle(view: EditorView, completion: Completion, from: number, to: number): void {
  const isClosed = view.state.sliceDoc(to, to + 2) === ']]';
  view.dispatch({
    changes: { from, to: isClosed ? to + 2 : to, insert: `${completion.label}]]` },
    selection: { anchor: from + completion.label.length + 2 },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
  });
}
