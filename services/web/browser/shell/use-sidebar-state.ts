import { useEffect, useState } from 'react';
import { tryStorage } from '../platform/try-storage.ts';

const STORAGE_KEY = 'atrium.sidebar';
export const WIDTH_PX = { min: 200, initial: 244, max: 360 };

interface SidebarState {
  width: number;
  isCollapsed: boolean;
}

export function withinWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, WIDTH_PX.min), WIDTH_PX.max));
}

function stored(): SidebarState {
  const { width, isCollapsed } =
    tryStorage(
      () => JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<SidebarState>,
    ) ?? {};
  return {
    width: typeof width === 'number' ? withinWidth(width) : WIDTH_PX.initial,
    isCollapsed: isCollapsed === true,
  };
}

/** How wide the sidebar is and whether it shows, as this device had it last. */
export function useSidebarState() {
  const [state, setState] = useState(stored);
  useEffect(() => {
    tryStorage(() => localStorage.setItem(STORAGE_KEY, JSON.stringify(state)));
  }, [state]);
  return {
    ...state,
    setWidth: (width: number) => setState((old) => ({ ...old, width: withinWidth(width) })),
    toggle: () => setState((old) => ({ ...old, isCollapsed: !old.isCollapsed })),
  };
}
