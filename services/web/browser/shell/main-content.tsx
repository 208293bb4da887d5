import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
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
