import { useEffect, useLayoutEffect, useRef } from 'react';

let openDialogs = 0;
let lastOpener: Element | null = null;

/** The focus goes back to what opened the dialog, or to the page when that is gone. */
export function useFocusReturn(): void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    // A dialog that takes the place of another goes back to what opened that one.
    const isNext = openDialogs > 0 && focused === document.body;
    opener.current = lastOpener = isNext ? lastOpener : focused;
  }, []);
  useEffect(() => {
    openDialogs += 1;
    return () => {
      openDialogs -= 1;
      // The next dialog may have taken the focus already.
      if (document.activeElement !== document.body) return;
      const { current } = opener;
      const target = current?.isConnected === true ? current : document.querySelector('main');
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
}
