import { UnstyledButton } from '@mantine/core';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Icon } from '../ui/controls/icon.tsx';
import { NavigationLink } from './navigation-link.tsx';
import { SECTIONS } from './navigation.ts';
import { NewMenu } from './new-menu.tsx';
import classes from './bottom-bar.module.css';

const BEFORE_NEW = 2;

/** The sections within reach of a thumb, on narrow screens. */
export function BottomBar() {
  const { shell } = useSignedInText();
  const link = (entry: (typeof SECTIONS)[number]) => (
    <NavigationLink key={entry.to} entry={entry} className={classes.entry} />
  );
  return (
    <nav aria-label={shell.quickNavigation} className={classes.bar}>
      {SECTIONS.slice(0, BEFORE_NEW).map(link)}
      <NewMenu
        button={(opens) => (
          <UnstyledButton {...opens} className={classes.entry ?? ''}>
            <Icon name="plus" />
            {shell.new}
          </UnstyledButton>
        )}
      />
      {SECTIONS.slice(BEFORE_NEW).map(link)}
    </nav>
  );
}
