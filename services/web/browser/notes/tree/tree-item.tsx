import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { Icon } from '../../ui/controls/icon.tsx';
import { useLevel } from './level.ts';
import { handleRowKey } from './row-keys.ts';
import { TextRow } from './text-row.tsx';
import { type TreeRow, useTree } from './tree-context.ts';
import classes from './tree.module.css';
import { useDropping } from './use-dropping.ts';

/** A row, and what is below it when it is open. */
export function TreeItem({
  row,
  hasChildren,
  isFirst = false,
}: {
  row: TreeRow;
  hasChildren: boolean;
  isFirst?: boolean;
}) {
  const { id, title, note, path, workspaceId, canWrite } = row;
  const tree = useTree();
  const group = useId();
  const element = useRef<HTMLAnchorElement>(null);
  const { setTabStop, takeFocus, takeScroll } = tree;
  // Until the page is shown, the router may scroll the tree back to where it was.
  const isCurrent = useRouterState({
    select: ({ resolvedLocation }) => resolvedLocation?.pathname.split('/').includes(id) === true,
  });
  const dropping = useDropping(row);
  const isOpen = hasChildren && tree.opened.has(id);
  const setOpen = (open: boolean) => tree.setOpen(id, open);
  const level = note === undefined ? 1 : path.length + 2;
  const isTabStop = tree.tabStop === id;
  // At once: a key that came before would be lost. Unless the focus has gone elsewhere meanwhile.
  useLayoutEffect(() => {
    if (takeFocus(id) && document.activeElement === document.body) element.current?.focus();
  });
  // The tree may be longer than the window.
  useEffect(() => {
    if (isCurrent && takeScroll(id)) element.current?.scrollIntoView({ block: 'nearest' });
  });
  useEffect(() => {
    if (isTabStop) return () => setTabStop(null);
    return undefined;
  }, [isTabStop, setTabStop]);
  const link =
    note === undefined
      ? ({ to: '/workspaces/$id', params: { id } } as const)
      : ({ to: '/notes/$id', params: { id } } as const);
  return (
    <li role="none">
      <Link
        {...link}
        ref={element}
        role="treeitem"
        aria-level={level}
        {...(hasChildren && { 'aria-expanded': isOpen })}
        {...(isOpen && { 'aria-owns': group })}
        tabIndex={isTabStop || (isFirst && tree.tabStop === null) ? 0 : -1}
        className={classes.row}
        style={{ paddingInlineStart: 4 + 16 * (level - 1) }}
        activeOptions={{ includeSearch: false }}
        data-drop={dropping.zone}
        draggable={canWrite && note !== undefined}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          tree.setDragged(row);
        }}
        onDragEnd={() => tree.setDragged(null)}
        {...dropping.handlers}
        onPointerEnter={(event) => {
          // A finger would then press what has just come below it.
          if (event.pointerType !== 'touch') tree.showActions(row, event.currentTarget);
        }}
        onFocus={(event) => {
          setTabStop(id);
          tree.showActions(row, event.currentTarget);
        }}
        onContextMenu={(event) => {
          const { buttons, currentTarget, nativeEvent } = event;
          const isTouch =
            nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
          if (!canWrite || isTouch) return;
          event.preventDefault();
          const open = () => tree.openMenu(row, currentTarget);
          // The button that comes up beside a menu closes it.
          if (buttons === 0) open();
          else window.addEventListener('pointerup', open, { once: true });
        }}
        onKeyDown={(event) => {
          if (event.altKey && event.shiftKey && event.key.startsWith('Arrow')) {
            event.preventDefault();
            tree.moveByKey(row, event.key);
          } else handleRowKey(event, { ...(hasChildren && { isOpen }), setOpen });
        }}
      >
        <span
          className={classes.chevron}
          data-open={isOpen}
          data-empty={!hasChildren}
          aria-hidden
          onClick={(event) => {
            if (!hasChildren) return;
            event.preventDefault();
            setOpen(!isOpen);
          }}
        >
          {hasChildren && <Icon name="chevron" />}
        </span>
        <span className={classes.title}>{title}</span>
        {canWrite && (
          <span
            className={classes.more}
            aria-hidden
            // The focus would show the actions in this place before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              event.preventDefault();
              if (element.current !== null) tree.openMenu(row, element.current);
            }}
          >
            <Icon name="more" />
          </span>
        )}
      </Link>
      {isOpen && (
        <TreeLevel
          group={group}
          workspaceId={workspaceId}
          parentId={note === undefined ? null : id}
          path={note === undefined ? [] : [...path, id]}
          canWrite={canWrite}
        />
      )}
    </li>
  );
}

/** The notes below a row, a page at a time. */
function TreeLevel({
  group,
  workspaceId,
  parentId,
  path,
  canWrite,
}: {
  /** The id of its element. */
  group: string;
  workspaceId: string;
  parentId: string | null;
  path: readonly string[];
  canWrite: boolean;
}) {
  const { tree: texts } = useSignedInText();
  const { data, error, refetch, hasMore, loadMore } = useLevel(workspaceId, parentId);
  const level = path.length + 2;
  return (
    <ul role="group" id={group} className={classes.level}>
      {data?.map((note) => (
        <TreeItem
          key={note.id}
          row={{ id: note.id, title: note.title, workspaceId, note, path, canWrite }}
          hasChildren={note.hasChildren}
        />
      ))}
      {data === undefined && error === null && <li role="none" className={classes.loading} />}
      {data === undefined && error !== null && (
        <TextRow level={level} onClick={() => void refetch()}>
          {texts.failed}
        </TextRow>
      )}
      {hasMore && (
        <TextRow level={level} onClick={loadMore}>
          {texts.more}
        </TextRow>
      )}
    </ul>
  );
}
