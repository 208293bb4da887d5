import type { ReactNode } from 'react';
import { useText } from '../texts/texts.tsx';
import { Brand } from './brand.tsx';
import { MainContent, SkipLink } from './main-content.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Preferences } from './preferences.tsx';
import classes from './shell.module.css';

/** Around pages that need no session: a narrow column, or a wide one for what is to be read. */
export function PlainFrame({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  const { frame } = useText();
  return (
    <div className={classes.plain}>
      <SkipLink />
      <OfflineNotice />
      <nav aria-label={frame.product} className={classes.plainBar}>
        <Brand />
        <Preferences />
      </nav>
      <MainContent className={`${classes.plainMain} ${wide ? classes.wideMain : ''}`}>
        {children}
      </MainContent>
    </div>
  );
}
