import type { EditorState, Range } from '@codemirror/state';
import { Decoration } from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common';
import { attachmentId, withScheme, safeUrl } from './urls.ts';
import { titleOf } from './language.ts';
import classes from './live.module.css';
import { isFocused, linkedNotes, surfaceContext } from './surface-context.ts';
import { AttachedImage, Sign, TaskBox } from './widgets.ts';

const HIDDEN = Decoration.replace({});
const BULLET = Decoration.replace({ widget: new Sign('bullet') });
const RULE = Decoration.replace({ widget: new Sign('rule') });
const NUMBER = Decoration.mark({ class: classes['number'] ?? '' });
const DONE = Decoration.mark({ class: classes['done'] ?? '' });
const DEPTH_MAX = 6;
const ITEM_LINES = Array.from({ length: DEPTH_MAX }, (_, depth) =>
  Decoration.line({ class: `${classes['item'] ?? ''} ${classes[`item${depth + 1}`] ?? ''}` }),
);

/** Whether the cursor or a selection touches a range, while one writes. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  return (
    state.field(isFocused) &&
    state.selection.ranges.some((range) => range.from <= to && range.to >= from)
  );
}

/** Decorations that show the Markdown of some lines as what it means, where the cursor is not. */
export function liveMarks(state: EditorState, tree: Tree, from: number, to: number) {
  const ranges: Range<Decoration>[] = [];
  const hide = (start: number, end: number, decoration = HIDDEN) => {
    // What spans lines stays as it is written.
    if (start < end && end <= state.doc.lineAt(start).to) ranges.push(decoration.range(start, end));
  };
  const touches = (node: { from: number; to: number }) => isTouched(state, node.from, node.to);
  const touchesLine = (node: SyntaxNodeRef) => touches(state.doc.lineAt(node.from));
  const withSpace = (end: number) => (state.sliceDoc(end, end + 1) === ' ' ? end + 1 : end);
  const read = (node: SyntaxNode) => state.sliceDoc(node.from, node.to);

  /** `[words](url)` and `![words](url)`. */
  function showLink(node: SyntaxNode): void {
    const [open, close] = node.getChildren('LinkMark');
    const url = node.getChild('URL');
    if (open === undefined || close === undefined || url === null) return;
    const href = safeUrl(read(url));
    if (href === null) return;
    const [start, end] = [open.to, close.from];
    const id = node.name === 'Image' ? attachmentId(href) : undefined;
    const [selection] = state.selection.ranges;
    const isInside =
      selection !== undefined && selection.from < node.to && selection.to > node.from;
    if (id !== undefined) {
      if (state.field(isFocused) && isInside) return;
      const widget = new AttachedImage(id, state.sliceDoc(start, end).replaceAll(/\\(.)/g, '$1'));
      hide(node.from, node.to, Decoration.replace({ widget }));
      return;
    }
    if (start === end) return;
    addLink(start, end, { href });
    if (touches(node)) return;
    hide(node.from, start);
    hide(end, node.to);
  }

  function addLink(start: number, end: number, attributes: Record<string, string>): void {
    const link = { class: classes['link'] ?? '', rel: 'noopener noreferrer', ...attributes };
    ranges.push(Decoration.mark({ tagName: 'a', attributes: link }).range(start, end));
  }

  function showTitleLink(node: SyntaxNode): void {
    const [open, close] = node.getChildren('TitleLinkMark');
    if (open === undefined || close === undefined) return;
    const title = titleOf(read(node));
    const known = state.field(linkedNotes);
    const id = known?.get(title.toLowerCase());
    const { missingNote } = state.facet(surfaceContext).texts;
    addLink(open.to, close.from, {
      role: 'link',
      'data-title': title,
      ...(id !== undefined && { href: `/notes/${id}` }),
      ...(known !== undefined && id === undefined && { 'data-missing': '', title: missingNote }),
    });
    if (touches(node)) return;
    hide(open.from, open.to);
    hide(close.from, close.to);
  }

  function showItem(mark: SyntaxNode, item: SyntaxNode): void {
    const line = state.doc.lineAt(mark.from);
    let depth = -1;
    for (let node: SyntaxNode | null = mark; node !== null; node = node.parent) {
      if (node.name.endsWith('List')) depth += 1;
    }
    const itemLine = ITEM_LINES[Math.min(depth, DEPTH_MAX - 1)];
    if (itemLine !== undefined) ranges.push(itemLine.range(line.from));
    const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
    if (line.from + indent === mark.from) hide(line.from, mark.from);
    const task = item.getChild('Task');
    const box = task?.getChild('TaskMarker');
    if (task && box) {
      const isDone = read(box) !== '[ ]';
      if (isDone) hide(box.to, Math.min(task.to, state.doc.lineAt(box.to).to), DONE);
      if (isTouched(state, mark.from, box.to)) return;
      const label = state.sliceDoc(box.to, state.doc.lineAt(box.to).to).trim();
      const widget = new TaskBox(isDone, label || '–');
      hide(mark.from, withSpace(box.to), Decoration.replace({ widget }));
    } else if (item.parent?.name === 'OrderedList') hide(mark.from, withSpace(mark.to), NUMBER);
    else if (!touches(mark) && withSpace(mark.to) > mark.to) hide(mark.from, mark.to + 1, BULLET);
  }

  function show(node: SyntaxNodeRef): void {
    const { parent } = node.node;
    switch (node.name) {
      case 'HeaderMark': {
        if (parent?.name.startsWith('ATX') && !touchesLine(node)) {
          // The marks behind a heading have their space before them.
          if (node.from > parent.from) hide(node.from - 1, node.to);
          else hide(node.from, withSpace(node.to));
        }
        return;
      }
      case 'QuoteMark': {
        if (!touchesLine(node)) hide(node.from, withSpace(node.to));
        return;
      }
      case 'EmphasisMark':
      case 'StrikethroughMark':
      case 'CodeMark': {
        if (parent !== null && !touches(parent)) hide(node.from, node.to);
        return;
      }
      case 'Escape': {
        if (!touches(node)) hide(node.from, node.from + 1);
        return;
      }
      case 'HorizontalRule': {
        if (!touchesLine(node)) hide(node.from, node.to, RULE);
        return;
      }
      case 'ListMark': {
        if (parent !== null) showItem(node.node, parent);
        return;
      }
      case 'Link':
      case 'Image': {
        showLink(node.node);
        return;
      }
      case 'TitleLink': {
        showTitleLink(node.node);
        return;
      }
      case 'URL': {
        if (parent === null || ['Link', 'Image', 'LinkReference'].includes(parent.name)) return;
        const href = safeUrl(withScheme(read(node.node)));
        if (href === null) return;
        addLink(node.from, node.to, { href });
        if (parent.name !== 'Autolink' || touches(parent)) return;
        hide(parent.from, node.from);
        hide(node.to, parent.to);
        return;
      }
    }
  }

  tree.iterate({ from, to, enter: show });
  return ranges;
}
