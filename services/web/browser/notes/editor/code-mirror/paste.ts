import { EditorView } from '@codemirror/view';
import { isCode } from './language.ts';
import { safeUrl } from './urls.ts';

const URL_ALONE = /^https?:\/\/\S+$/;
/** Editors of programs copy colours only, and their text is better as it is. */
const HAS_STRUCTURE = /<(a|h[1-6]|ul|ol|li|table|strong|b|em|i|code|blockquote|hr|del|s)[\s>]/i;

/** A table stands by itself: what is written in a line that touches it becomes a part of it. */
function apart(markdown: string, before: string): string {
  const start = markdown.startsWith('|') && before.trim() !== '' ? '\n\n' : '';
  return `${start}${markdown}${markdown.endsWith('|') ? '\n\n' : ''}`;
}

/** A URL makes the selection a link; what is copied from other pages becomes Markdown. */
export const paste = EditorView.domEventHandlers({
  paste(event, view) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const html = event.clipboardData?.getData('text/html') ?? '';
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    const url = text.trim();
    const selected = state.sliceDoc(from, to);
    if (!empty && URL_ALONE.test(url) && safeUrl(url) !== null) {
      if (selected.includes('\n') || URL_ALONE.test(selected)) return false;
      event.preventDefault();
      const insert = `[${selected}](${url})`;
      const selection = { anchor: from + insert.length };
      view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.paste' });
      return true;
    }
    if (text === '' || URL_ALONE.test(url) || !HAS_STRUCTURE.test(html)) return false;
    if (isCode(state.doc.toString(), from)) return false;
    event.preventDefault();
    const insert = (pasted: string) =>
      view.dispatch(view.state.replaceSelection(pasted), {
        scrollIntoView: true,
        userEvent: 'input.paste',
      });
    import('./html-to-markdown.ts').then(
      ({ htmlToMarkdown }) => {
        const { from } = view.state.selection.main;
        const before = view.state.sliceDoc(view.state.doc.lineAt(from).from, from);
        insert(apart(htmlToMarkdown(html), before));
      },
      () => insert(text),
    );
    return true;
  },
});
