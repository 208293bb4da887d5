import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import type { Place } from '../place.ts';
import { loadedLevel, loadedParent } from './level.ts';
import type { TreeRow, Zone } from './tree-context.ts';
import { usePlace } from './use-place.ts';

/** What a note is put beside. */
interface Target {
  id: string;
  title: string;
  /** The parent of the target; undefined for a workspace. */
  parentId: string | null | undefined;
}

/** Moves within a workspace, by the pointer and by keys; each says what it did. */
export function useMoves(setOpen: (id: string, isOpen: boolean) => void) {
  const { tree: texts } = useSignedInText();
  const queryClient = useQueryClient();
  const toast = useToast();
  const place = usePlace();
  /** What a move by keys did. */
  const [announcement, announce] = useState('');

  function placeOf(row: TreeRow, zone: Zone, { id, parentId }: Target): Place {
    if (parentId === undefined) return { parentId: null, after: undefined };
    if (zone === 'inside') return { parentId: id, after: undefined };
    if (zone === 'after') return { parentId, after: id };
    const others = loadedLevel(queryClient, row.workspaceId, parentId).filter(
      (each) => each.id !== row.id,
    );
    const index = others.findIndex((each) => each.id === id);
    return { parentId, after: others[index - 1]?.id ?? null };
  }

  function move(row: TreeRow, zone: Zone, target: Target) {
    if (row.note === undefined) return undefined;
    const undo = place(row.workspaceId, row.note, placeOf(row, zone, target));
    if (zone === 'inside') setOpen(target.id, true);
    return { undo, message: texts.placed[zone](row.title, target.title) };
  }

  return {
    announcement,
    drop: (row: TreeRow, zone: Zone, { id, title, note }: TreeRow) => {
      const moved = move(row, zone, { id, title, parentId: note?.parentId });
      if (moved !== undefined) toast(moved.message, { undo: moved.undo });
    },
    /** Moves a note: up and down among siblings, right into the one above, left out of its parent. */
    moveByKey: (row: TreeRow, key: string): boolean => {
      if (row.note === undefined || !row.canWrite) return false;
      const { workspaceId, note } = row;
      const siblings = loadedLevel(queryClient, workspaceId, note.parentId);
      const index = siblings.findIndex(({ id }) => id === row.id);
      const [above, below] = [siblings[index - 1], siblings[index + 1]];
      const parent = loadedParent(queryClient, workspaceId, note.parentId);
      const steps: Record<string, readonly [Zone, Target | undefined]> = {
        ArrowUp: ['before', above],
        ArrowDown: ['after', below],
        ArrowRight: ['inside', above],
        ArrowLeft: ['after', parent],
      };
      const [zone, target] = steps[key] ?? ['after', undefined];
      if (target === undefined) return false;
      announce(move(row, zone, target)?.message ?? '');
      return true;
    },
  };
}
