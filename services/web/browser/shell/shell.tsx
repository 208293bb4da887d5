import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsFetching } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useText } from '../texts/texts.tsx';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Brand } from './brand.tsx';
import { MainContent, SkipLink } from './main-content.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Palette } from './palette.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

const Sheet = lazyPart(async () => (await import('./sheet.tsx')).Sheet);

/** Around the pages of a signed-in person: a sidebar, which is a sheet on narrow screens. */
export function Shell({ children }: { children: ReactNode }) {
  const { frame } = useText();
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  // It is loaded when it is first opened, and then stays to close as it opened.
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  useEffect(close, [close, pathname]);
  return (
    <>
      <SkipLink />
      <OfflineNotice />
      <FetchingBar />
      <nav aria-label={frame.product} className={classes.topbar}>
        <Burger
          ref={burger}
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={isOpen ? frame.closeMenu : frame.openMenu}
        />
        <Brand />
      </nav>
      {wasOpen && (
        <Suspense fallback={<LatePart />}>
          <Sheet
            isOpen={isOpen}
            onClose={() => {
              close();
              burger.current?.focus();
            }}
          />
        </Suspense>
      )}
      <div className={classes.shell}>
        <div className={classes.sidebar}>
          <Sidebar />
        </div>
        <MainContent className={classes.main}>{children}</MainContent>
      </div>
      <Palette />
    </>
  );
}

/** A thin bar while data is being loaded; what is there stays in view. */
function FetchingBar() {
  return useIsFetching() > 0 && <div className={classes.fetching} aria-hidden />;
}
