import type { TreeNote } from '@atrium/client';
import { createContext, use } from 'react';

/** A row of the tree: a note, or the workspace that notes are in. */
export interface TreeRow {
  id: string;
  title: string;
  workspaceId: string;
  /** Undefined for a workspace. */
  note: TreeNote | undefined;
  /** The ids of the notes above it. */
  path: readonly string[];
  canWrite: boolean;
}

/** Where beside a row a note goes. */
export type Zone = 'before' | 'inside' | 'after';

export interface Tree {
  opened: ReadonlySet<string>;
  setOpen: (id: string, isOpen: boolean) => void;
  /** The row that Tab goes to; the first one when it is null. */
  tabStop: string | null;
  setTabStop: (id: string | null) => void;
  /** The row under the pointer, or with the focus, whose actions are shown. */
  showActions: (row: TreeRow, element: HTMLElement) => void;
  /** Opens the menu of a row, where there is no pointer to show its actions. */
  openMenu: (row: TreeRow, element: HTMLElement) => void;
  /** The note that is dragged at the moment. */
  dragged: () => TreeRow | null;
  setDragged: (row: TreeRow | null) => void;
  drop: (zone: Zone, target: TreeRow) => void;
  moveByKey: (row: TreeRow, key: string) => void;
  /** @returns whether a row that has just been shown gets the focus, as it was moved by keys; true only once */
  takeFocus: (id: string) => boolean;
  /** @returns whether the row of the page is scrolled to; true only once, not when it is opened again */
  takeScroll: (id: string) => boolean;
}

export const TreeContext = createContext<Tree | null>(null);

export function useTree(): Tree {
  const tree = use(TreeContext);
  if (tree === null) throw new Error('NotesTree is missing');
  return tree;
}
