import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './tabs.module.css';

export interface Tab {
  to: string;
  params?: Record<string, string>;
  /** For tabs of one URL, which this tells apart. */
  search?: Record<string, string | undefined>;
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
          key={tab.label}
          to={tab.to}
          {...(tab.params !== undefined && { params: tab.params })}
          {...(tab.search !== undefined && { search: tab.search })}
          className={classes.tab}
          activeOptions={
            tab.search === undefined
              ? { exact: true, includeSearch: false }
              : { includeSearch: true, explicitUndefined: true }
          }
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
