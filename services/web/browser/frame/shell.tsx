import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useText } from '../texts/texts.tsx';
import { Brand } from './brand.tsx';
import { FetchingBar } from './fetching-bar.tsx';
import { MainContent, SkipLink } from './main-content.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Palette } from './palette.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** Around the pages of a signed-in person: a sidebar, which is a sheet on narrow screens. */
export function Shell({ children }: { children: ReactNode }) {
  const { frame } = useText();
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useEffect(close, [close, pathname]);
  return (
    <>
      <SkipLink />
      <OfflineNotice />
      <FetchingBar />
      <nav aria-label={frame.product} className={classes.topbar}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={isOpen ? frame.closeMenu : frame.openMenu}
        />
        <Brand />
      </nav>
      <Drawer
        opened={isOpen}
        onClose={close}
        size="280px"
        title={frame.product}
        closeButtonProps={{ 'aria-label': frame.closeMenu }}
      >
        <Sidebar />
      </Drawer>
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
