import { EditorView } from '@codemirror/view';
import { safeAddress } from './addresses.ts';

const ADDRESS = /^https?:\/\/\S+$/;
/** Editors of programs copy colours only, and their text is better as it is. */
const HAS_STRUCTURE = /<(a|h[1-6]|ul|ol|li|table|strong|b|em|i|code|blockquote|hr|del|s)[\s>]/i;

/** An address makes the selection a link; what is copied from other pages becomes Markdown. */
export const paste = EditorView.domEventHandlers({
  paste(event, view) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const html = event.clipboardData?.getData('text/html') ?? '';
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    const address = text.trim();
    const selected = state.sliceDoc(from, to);
    if (!empty && ADDRESS.test(address) && safeAddress(address) !== null) {
      if (selected.includes('\n') || ADDRESS.test(selected)) return false;
      event.preventDefault();
      const insert = `[${selected}](${address})`;
      const selection = { anchor: from + insert.length };
      view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.paste' });
      return true;
    }
    if (text === '' || ADDRESS.test(address) || !HAS_STRUCTURE.test(html)) return false;
    event.preventDefault();
    const insert = (pasted: string) =>
      view.dispatch(view.state.replaceSelection(pasted), {
        scrollIntoView: true,
        userEvent: 'input.paste',
      });
    import('./html-to-markdown.ts').then(
      ({ htmlToMarkdown }) => insert(htmlToMarkdown(html)),
      () => insert(text),
    );
    return true;
  },
});
