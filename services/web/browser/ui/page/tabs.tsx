import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './tabs.module.css';

export interface Tab {
  to: string;
  params?: Record<string, string>;
  label: string;
}

/** Leads to the pages that belong together. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    const active = nav.current?.querySelector<HTMLElement>('[data-status=active]');
    active?.parentElement?.scrollTo({ left: active.offsetLeft - active.offsetWidth });
  }, []);
  return (
    <nav ref={nav} aria-label={label} className={classes.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          {...(tab.params !== undefined && { params: tab.params })}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
