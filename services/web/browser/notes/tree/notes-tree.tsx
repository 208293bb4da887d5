import type { Workspace } from '@atrium/client';
import { VisuallyHidden } from '@mantine/core';
import { Suspense, useMemo, useReducer, useRef, useState } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { rowsIn } from './row-keys.ts';
import { type Tree, TreeContext, type TreeRow } from './tree-context.ts';
import { TreeItem } from './tree-item.tsx';
import classes from './tree.module.css';
import { useMoves } from './use-moves.ts';
import { useOpened } from '../use-opened.ts';

/** Shown with the first row that is pointed at. */
const RowActions = lazyPart(async () => (await import('./row-actions.tsx')).RowActions);
const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog);

/** The workspaces, and the notes in them below one another. */
export function NotesTree() {
  const { tree: texts } = useSignedInText();
  const { data: workspaces = [] } = useWorkspaces();
  const { opened, setOpen: keepOpen } = useOpened();
  const [, showNow] = useReducer((shows: number) => shows + 1, 0);
  const setOpen = (id: string, isOpen: boolean) => {
    keepOpen(id, isOpen);
    // What is kept is told in a timer, before which the next key may come.
    showNow();
  };
  const [tabStop, setTabStop] = useState<string | null>(null);
  const [active, setActive] = useState<{ row: TreeRow; element: HTMLElement } | null>(null);
  const [hasMenu, setMenu] = useState(false);
  const [moving, setMoving] = useState<TreeRow | null>(null);
  const dragged = useRef<TreeRow>(null);
  const nextFocus = useRef<string>(null);
  const scrolledTo = useRef<string>(null);
  const { announcement, drop, moveByKey } = useMoves(setOpen);
  const tree: Tree = {
    opened,
    setOpen,
    tabStop,
    setTabStop,
    showActions: (row, element) => {
      if (!hasMenu) setActive({ row, element });
    },
    openMenu: (row, element) => {
      setActive({ row, element });
      setMenu(true);
    },
    dragged: () => dragged.current,
    setDragged: (row) => {
      dragged.current = row;
    },
    drop: (zone, target) => {
      if (dragged.current !== null) drop(dragged.current, zone, target);
      setActive(null);
    },
    moveByKey: (row, key) => {
      if (moveByKey(row, key)) nextFocus.current = row.id;
    },
    takeFocus: (id) => {
      const isNext = nextFocus.current === id;
      if (isNext) nextFocus.current = null;
      return isNext;
    },
    takeScroll: (id) => {
      const isNext = scrolledTo.current !== id;
      scrolledTo.current = id;
      return isNext;
    },
  };
  if (workspaces.length === 0) return null;
  return (
    <div
      className={classes.tree}
      onPointerLeave={(event) => {
        const isWithin = event.currentTarget.contains(document.activeElement);
        if (!hasMenu && !isWithin) setActive(null);
      }}
      onBlur={(event) => {
        if (!hasMenu && !event.currentTarget.contains(event.relatedTarget)) setActive(null);
      }}
    >
      <TreeContext value={tree}>
        <ul role="tree" aria-label={texts.label} className={classes.level}>
          {workspaces.map((workspace, index) => (
            <Root key={workspace.id} workspace={workspace} isFirst={index === 0} />
          ))}
        </ul>
      </TreeContext>
      {active !== null && active.row.canWrite && active.element.isConnected && (
        <Suspense>
          <RowActions
            key={active.row.id}
            row={active.row}
            top={active.element.offsetTop}
            hasMenu={hasMenu}
            onMenu={setMenu}
            onCreated={() => setOpen(active.row.id, true)}
            onMove={() => setMoving(active.row)}
            onDelete={() => {
              const rows = rowsIn(active.element);
              rows[rows.indexOf(active.element) - 1]?.focus();
            }}
          />
        </Suspense>
      )}
      {moving?.note !== undefined && (
        <Suspense fallback={<LatePart />}>
          <MoveDialog
            note={moving.note}
            workspaceId={moving.workspaceId}
            onClose={() => setMoving(null)}
          />
        </Suspense>
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </div>
  );
}

function Root({ workspace, isFirst }: { workspace: Workspace; isFirst: boolean }) {
  const { id, name, role, noteCount } = workspace;
  const row = useMemo(
    () => ({
      id,
      title: name,
      workspaceId: id,
      note: undefined,
      path: [],
      canWrite: role !== 'viewer',
    }),
    [id, name, role],
  );
  return <TreeItem row={row} hasChildren={noteCount > 0} isFirst={isFirst} />;
}
