import { Button, Kbd } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useLogOut } from '../session/log-out.ts';
import { SidebarTree } from '../notes/tree/sidebar-tree.tsx';
import { isApple } from '../platform/shortcut.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Brand } from './brand.tsx';
import { NAVIGATION, useAllowed } from './navigation.ts';
import { openPalette } from './palette.tsx';
import { Preferences } from './preferences.tsx';
import classes from './shell.module.css';

/** Where one can go, and what belongs to every page. */
export function Sidebar() {
  const text = useSignedInText();
  const logOut = useLogOut();
  const { pathname } = useLocation();
  const entries = useAllowed(NAVIGATION);
  return (
    <nav aria-label={text.frame.navigation} className={classes.navigation}>
      <Brand />
      <div>
        {entries.map(({ to, label, below = [] }) => (
          <Link
            key={to}
            to={to}
            className={classes.entry}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            {...(below.some((path) => pathname.startsWith(path)) && { 'data-status': 'active' })}
          >
            {label(text)}
          </Link>
        ))}
      </div>
      <SidebarTree />
      <div className={classes.foot}>
        <Button
          variant="default"
          size="xs"
          rightSection={
            <Kbd size="xs">{isApple ? text.frame.paletteKeyApple : text.frame.paletteKey}</Kbd>
          }
          onClick={openPalette}
        >
          {text.frame.search}
        </Button>
        <Preferences />
        <Button variant="subtle" size="xs" onClick={() => void logOut()}>
          {text.frame.logOut}
        </Button>
      </div>
    </nav>
  );
}
