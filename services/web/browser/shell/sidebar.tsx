import { Kbd, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { NotesTree } from '../notes/tree/notes-tree.tsx';
import { isApple } from '../platform/shortcut.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Icon } from '../ui/controls/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { Favourites } from './favourites.tsx';
import { NavigationLink } from './navigation-link.tsx';
import { NAVIGATION, useAllowed } from './navigation.ts';
import { NewMenu } from './new-menu.tsx';
import { openPalette } from './palette.tsx';
import classes from './sidebar.module.css';

/** Where one can go, and what belongs to every page. */
export function Sidebar({ edge }: { edge?: ReactNode }) {
  const text = useSignedInText();
  const entries = useAllowed(NAVIGATION);
  return (
    <nav aria-label={text.shell.navigation} className={classes.navigation}>
      <div className={classes.head}>
        <Brand />
        <div className={classes.tools}>
          <UnstyledButton className={classes.search ?? ''} onClick={openPalette}>
            <Icon name="search" />
            <span className={classes.label}>{text.shell.search}</span>
            <Kbd size="xs">{isApple ? text.shell.paletteKeyApple : text.shell.paletteKey}</Kbd>
          </UnstyledButton>
          <NewMenu
            button={(opens) => (
              <UnstyledButton {...opens} className={classes.new ?? ''} aria-label={text.shell.new}>
                <Icon name="plus" />
              </UnstyledButton>
            )}
          />
        </div>
      </div>
      <div className={classes.scrolled}>
        <div>
          {entries.map((entry) => (
            <NavigationLink key={entry.to} entry={entry} className={classes.entry} />
          ))}
        </div>
        <Favourites />
        <NotesTree />
      </div>
      <div className={classes.foot}>
        <AccountMenu />
      </div>
      {edge}
    </nav>
  );
}
