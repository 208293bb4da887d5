import { type EditorState, type Extension, StateField } from '@codemirror/state';
import { EditorView, showTooltip, type Tooltip } from '@codemirror/view';
import { attachmentId, withScheme, safeUrl } from './urls.ts';
import { language, titleOf } from './language.ts';
import classes from './live.module.css';
import { isFocused, type LinkTarget, surfaceContext } from './surface-context.ts';

/** Where a shown link leads. */
export function targetOf(link: HTMLElement): LinkTarget {
  const { title } = link.dataset;
  if (title !== undefined) return { kind: 'title', title };
  return urlTarget(link.getAttribute('href') ?? '', link.textContent);
}

function urlTarget(href: string, name: string): LinkTarget {
  const id = attachmentId(href);
  return id === undefined ? { kind: 'url', href } : { kind: 'attachment', id, name };
}

/** The link at a place, as its line alone says. */
function linkAt({ doc }: EditorState, at: number): { from: number; target: LinkTarget } | null {
  const line = doc.lineAt(at);
  const read = (node: { from: number; to: number }) => line.text.slice(node.from, node.to);
  let node = language.parse(line.text).resolveInner(at - line.from, -1);
  for (;;) {
    const from = line.from + node.from;
    if (node.name === 'TitleLink') {
      const title = titleOf(read(node));
      return { from, target: { kind: 'title', title } };
    }
    const url = node.name === 'URL' ? node : node.getChild('URL');
    if (['Link', 'Image', 'Autolink', 'URL'].includes(node.name) && url !== null) {
      const href = safeUrl(withSchemeOf(read(url)));
      if (href === null) return null;
      const marks = node.getChildren('LinkMark');
      const name = line.text.slice(marks[0]?.to ?? node.from, marks[1]?.from ?? node.to);
      return { from, target: urlTarget(href, name) };
    }
    if (node.parent === null) return null;
    node = node.parent;
  }
}

/** A path of this site stays one. */
const withSchemeOf = (written: string): string =>
  written.startsWith('/') ? written : withScheme(written);

/** Offers to open the link that the cursor is in. */
const openTooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, { state, startState, docChanged, selection }) {
    const hasFocusChanged = startState.field(isFocused) !== state.field(isFocused);
    if (!docChanged && selection === undefined && !hasFocusChanged) return shown;
    const { main } = state.selection;
    // Not while the link is being written.
    if (docChanged || !main.empty) return null;
    // Going to its button takes the focus out of the text.
    if (!state.field(isFocused)) return shown;
    const link = linkAt(state, main.head);
    if (link === null) return null;
    const { texts, open } = state.facet(surfaceContext);
    return {
      pos: link.from,
      above: false,
      create() {
        const dom = document.createElement('div');
        dom.className = classes['open'] ?? '';
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = texts.openLink;
        button.addEventListener('click', () => open(link.target));
        dom.append(button);
        return { dom };
      },
    };
  },
  provide: (field) => showTooltip.from(field),
});

/** A click with Ctrl or Cmd follows a link; the cursor in it offers the same. */
export const links: Extension = [
  openTooltip,
  EditorView.domEventHandlers({
    mousedown(event, { state }) {
      const { target } = event;
      const link = target instanceof Element ? target.closest('a') : null;
      if (link === null || event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
      event.preventDefault();
      state.facet(surfaceContext).open(targetOf(link));
      return true;
    },
    click(event) {
      // The browser follows no link by itself.
      if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
      return false;
    },
  }),
];
