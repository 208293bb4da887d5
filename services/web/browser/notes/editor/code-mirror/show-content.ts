import { isolateHistory } from '@codemirror/commands';
import { type EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import type { ShowReason } from '../../saving/saving-state.ts';
import { differences, splitWords } from '../../saving/differences.ts';

/** Shows other content; the cursor and what can be undone stay where they were. */
export function showContent(
  editor: { state: EditorState; dispatch: (spec: TransactionSpec) => void },
  content: string,
  reason: ShowReason,
): void {
  editor.dispatch({
    changes: textChanges(editor.state.doc.toString(), content, 0, PARTS),
    annotations:
      reason === 'chosen' ? isolateHistory.of('full') : Transaction.addToHistory.of(false),
  });
}

interface Parts {
  split: (text: string) => string[];
  comparedMax: number;
}

/** What texts are compared by, where the parts before differ. */
const PARTS: readonly Parts[] = [
  // Blank lines go with the line below them: on their own all are alike, and a long note takes minutes.
  { split: (text) => text.split(/(?<=[^\n]\n)/), comparedMax: Infinity },
  { split: (text) => text.split(/(?<=\n)/), comparedMax: 500 },
  { split: splitWords, comparedMax: 500 },
  // What both begin and end with.
  { split: (text) => Array.from(text), comparedMax: 0 },
];

interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The changes, as small as they can be found, that make one text of another. */
function textChanges(
  shown: string,
  next: string,
  at: number,
  [parts, ...smaller]: readonly Parts[],
): Change[] {
  if (parts === undefined) return [{ from: at, to: at + shown.length, insert: next }];
  const [a, b] = [parts.split(shown), parts.split(next)];
  let index = 0;
  let offset = at;
  return differences(a, b, parts.comparedMax).flatMap(({ one: [start, end], other }) => {
    offset += a.slice(index, start).join('').length;
    const changed = a.slice(start, end).join('');
    const changes = textChanges(changed, b.slice(...other).join(''), offset, smaller);
    offset += changed.length;
    index = end;
    return changes;
  });
}
