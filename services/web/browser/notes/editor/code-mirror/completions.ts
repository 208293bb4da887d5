import {
  autocompletion,
  type Completion,
  type CompletionContext,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { EditorState, StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { blockUses, countBlockUse } from './block-uses.ts';
import type { Block } from './blocks.ts';
import { isCode } from './language.ts';

export interface Completions {
  blocks: readonly Block[];
  /** Opens the picker of this device for files of a kind, or of all kinds. */
  chooseFiles: (accepted: string) => void;
  /** The titles of notes to which this one may link. */
  findTitles: (typed: string) => Promise<string[]>;
  /** Names the list of what is offered. */
  label: string;
}

/**
 * A slash at the beginning of a line or after a space offers blocks; what is typed after it finds one of them. After two brackets
 * the titles of notes are offered.
 */
export function addCompletions(editor: EditorView, completions: Completions): void {
  const { blocks, chooseFiles, findTitles, label } = completions;
  const blockSource = (context: CompletionContext) => {
    const typed = context.matchBefore(/(?:^|\s)\/(?:[\p{L}\p{N}][\p{L}\p{N} ]*)?$/u);
    if (typed === null || isInCode(context)) return null;
    const slash = typed.from + typed.text.indexOf('/');
    const uses = blockUses();
    const byUse = blocks.toSorted((a, b) => (uses[b.name] ?? 0) - (uses[a.name] ?? 0));
    return {
      from: slash + 1,
      options: byUse.map((block, index) => ({
        label: block.label,
        sortText: String(index).padStart(2, '0'),
        apply(view: EditorView, completion: Completion, _from: number, to: number) {
          countBlockUse(block.name);
          applyBlock(view, completion, { block, slash, to });
          if (block.markdown === null) chooseFiles(block.name === 'image' ? 'image/*' : '');
        },
      })),
      validFor: /^(?:[\p{L}\p{N}][\p{L}\p{N} ]*)?$/u,
    };
  };
  const titleSource = async (context: CompletionContext) => {
    const typed = context.matchBefore(/\[\[[^[\]|\n]{1,200}$/);
    if (typed === null || isInCode(context)) return null;
    const titles = await findTitles(typed.text.slice(2));
    if (context.aborted) return null;
    return {
      from: typed.from + 2,
      options: titles.map((title) => ({ label: title, apply: applyTitle })),
      filter: false,
    };
  };
  // As one source: while one of several is still asked, Enter ends the line instead of choosing from the others.
  const source = (context: CompletionContext) => blockSource(context) ?? titleSource(context);
  const menu = [
    autocompletion({ override: [source], icons: false }),
    EditorState.phrases.of({ Completions: label }),
  ];
  editor.dispatch({ effects: StateEffect.appendConfig.of(menu) });
  startCompletion(editor);
}

const isInCode = ({ state, pos }: CompletionContext) => isCode(state.doc.toString(), pos);

/** Puts a block in the place of what was typed, on a line of its own. */
function applyBlock(
  view: EditorView,
  completion: Completion,
  { block, slash, to }: { block: Block; slash: number; to: number },
): void {
  const { doc } = view.state;
  const [start = '', after = ''] = (block.markdown ?? '').split('\0');
  const line = doc.lineAt(slash);
  const isWithinText = line.text.slice(0, slash - line.from).trim() !== '';
  // A block of several lines is not a part of the paragraph above it.
  const above = line.number === 1 ? '' : doc.line(line.number - 1).text;
  const isBelowText = above.trim() !== '' && block.markdown?.includes('\n') === true;
  const before = isWithinText && block.markdown !== null ? '\n\n' : isBelowText ? '\n' : '';
  const from = before === '\n\n' ? slash - 1 : slash;
  view.dispatch({
    changes: { from, to, insert: before + start + after },
    selection: { anchor: from + before.length + start.length },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
  });
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
