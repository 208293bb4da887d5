import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsFetching } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLeftDrafts } from '../notes/saving/use-left-drafts.tsx';
import { useAccountLanguage } from '../session/use-account-language.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { usePreloadedToasts } from '../ui/toasts/use-preloaded-toasts.ts';
import { BottomBar } from './bottom-bar.tsx';
import { Brand } from './brand.tsx';
import { Keys } from './keys.tsx';
import { MainContent, SkipLink } from './main-content.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { openPalette, Palette } from './palette.tsx';
import { SidebarEdge } from './sidebar-edge.tsx';
import { Sidebar } from './sidebar.tsx';
import classes from './shell.module.css';
import { useRowReturn } from './use-row-return.ts';
import { useSidebarState } from './use-sidebar-state.ts';

const Sheet = lazyPart(async () => (await import('./sheet.tsx')).Sheet);

/** Around the pages of a signed-in person: a sidebar, which is a bar and a sheet on narrow screens. */
export function Shell({ children }: { children: ReactNode }) {
  const { shell } = useSignedInText();
  const { width, isCollapsed, setWidth, toggle } = useSidebarState();
  useToggleKey(toggle);
  useAccountLanguage();
  useLeftDrafts();
  usePreloadedToasts();
  useRowReturn();
  const style = { '--sidebar': isCollapsed ? '0px' : `${width}px` } as CSSProperties;
  return (
    <>
      <SkipLink />
      <FetchingBar />
      <TopBar />
      <div className={classes.shell} style={style}>
        {/* One button, which keeps the focus. */}
        <div className={classes.toggle} data-collapsed={isCollapsed}>
          <IconButton
            icon="panel"
            label={isCollapsed ? shell.showSidebar : shell.hideSidebar}
            onClick={toggle}
          />
        </div>
        <div className={classes.sidebar} data-collapsed={isCollapsed}>
          <Sidebar edge={<SidebarEdge width={width} onResize={setWidth} />} />
        </div>
        <div className={classes.content}>
          <OfflineNotice />
          <MainContent className={classes.main}>{children}</MainContent>
        </div>
      </div>
      <BottomBar />
      <Palette />
      <Keys />
    </>
  );
}

/** Ctrl or Cmd and the backslash, wherever the focus is. */
function useToggleKey(toggle: () => void): void {
  const latest = useRef(toggle);
  useEffect(() => {
    latest.current = toggle;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isKey = event.key === '\\' || event.code === 'Backslash';
      if (!isKey || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** On narrow screens: opens the sidebar as a sheet, and the search. */
function TopBar() {
  const { frame, shell } = useSignedInText();
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  // It is loaded when it is first opened, and then stays to close as it opened.
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  useEffect(close, [close, pathname]);
  return (
    <>
      <nav aria-label={frame.product} className={classes.topbar}>
        <Burger
          ref={burger}
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={isOpen ? shell.closeMenu : shell.openMenu}
        />
        <Brand />
        <div className={classes.topbarEnd}>
          <IconButton icon="search" label={shell.search} onClick={openPalette} />
        </div>
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
    </>
  );
}

/** A thin bar while data is being loaded; what is there stays in view. */
function FetchingBar() {
  return useIsFetching() > 0 && <div className={classes.fetching} aria-hidden />;
}
