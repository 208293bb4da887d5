import { type DragEvent, useState } from 'react';
import { type TreeRow, useTree, type Zone } from './tree-context.ts';

/** How much of a row's height is before it, and how much after. */
const EDGE = 0.25;

/** Where a note that is dragged over a row would go. */
export function useDropping(row: TreeRow) {
  const tree = useTree();
  const [zone, setZone] = useState<Zone>();
  function zoneOf({ clientY, currentTarget }: DragEvent<HTMLElement>): Zone | undefined {
    const dragged = tree.dragged();
    const isBelow = dragged !== null && row.path.includes(dragged.id);
    if (dragged === null || isBelow || dragged.id === row.id) return undefined;
    if (dragged.workspaceId !== row.workspaceId) return undefined;
    if (row.note === undefined) return 'inside';
    const { top, height } = currentTarget.getBoundingClientRect();
    const part = (clientY - top) / height;
    if (part < EDGE) return 'before';
    return part > 1 - EDGE ? 'after' : 'inside';
  }
  const handlers = {
    onDragOver: (event: DragEvent<HTMLElement>) => {
      const over = zoneOf(event);
      setZone(over);
      if (over !== undefined) event.preventDefault();
    },
    onDragLeave: () => setZone(undefined),
    onDrop: (event: DragEvent<HTMLElement>) => {
      const over = zoneOf(event);
      setZone(undefined);
      if (over === undefined) return;
      event.preventDefault();
      tree.drop(over, row);
    },
  };
  return { zone, handlers };
}
