import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import { MainContent, SkipLink } from './main-content.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Preferences } from './preferences.tsx';
import classes from './shell.module.css';

/** Around pages that need no session: a narrow column, or a wide one for what is to be read. */
export function PlainFrame({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <div className={classes.plain}>
      <SkipLink />
      <OfflineNotice />
      <header className={classes.plainBar}>
        <Brand />
        <Preferences />
      </header>
      <MainContent className={`${classes.plainMain} ${wide ? classes.wideMain : ''}`}>
        {children}
      </MainContent>
    </div>
  );
}
