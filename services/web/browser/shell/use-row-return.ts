import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** For so many frames, a list may still be scrolled to where it was. */
const FRAMES_MAX = 20;

/** Unless the focus has gone elsewhere meanwhile. */
function focusRowTo(path: string, frames = FRAMES_MAX): void {
  if (document.activeElement?.localName !== 'main') return;
  const row = document.querySelector<HTMLElement>(
    `main [data-list-row][href="${CSS.escape(path)}"]`,
  );
  if (row !== null) row.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRowTo(path, frames - 1));
}

/** Whoever goes back to a list has the focus at the row that they had opened. */
export function useRowReturn(): void {
  const { history } = useRouter();
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const wentBack = useRef(false);
  useEffect(
    () =>
      history.subscribe(({ action }: { action: { type: string } }) => {
        wentBack.current = action.type === 'BACK';
      }),
    [history],
  );
  useEffect(() => {
    if (shown.current !== pathname && wentBack.current) focusRowTo(shown.current);
    shown.current = pathname;
  }, [pathname]);
}
