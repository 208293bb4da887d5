import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useText } from '../texts/texts.tsx';
import classes from './shell.module.css';
import { useDismissToasts } from '../ui/toasts/toasts.tsx';

const ID = 'content';

/** Leads keyboards past the navigation; first in every frame. */
export function SkipLink() {
  return (
    <a className={classes.skip} href={`#${ID}`}>
      {useText().frame.skipToContent}
    </a>
  );
}

/** Whether a frame has gone with the focus in its page: that of the next frame has it then. */
let hasLostFocus = false;

/** The page itself. It gets the focus when another page is shown, so that screen readers begin there. */
export function MainContent({
  className,
  children,
}: {
  className: string | undefined;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  const dismissToasts = useDismissToasts();
  useLayoutEffect(() => {
    const element = main.current;
    if (hasLostFocus && document.activeElement === document.body) element?.focus();
    hasLostFocus = false;
    return () => {
      hasLostFocus = element?.contains(document.activeElement) === true;
    };
  }, []);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus();
    dismissToasts();
  }, [pathname, dismissToasts]);
  return (
    <main id={ID} ref={main} tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
