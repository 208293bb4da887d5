import { Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLogOut } from '../session/log-out.ts';
import { useUser } from '../session/user.ts';
import { isLanguage, LANGUAGE_NAMES } from '../texts/languages.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { AccountAvatar } from '../ui/controls/account-avatar.tsx';
import { isTheme, THEMES } from './themes.ts';
import classes from './sidebar.module.css';

/** Whose session this is, with what this person has chosen on this device. */
export function AccountMenu() {
  const { frame, shell } = useSignedInText();
  const user = useUser();
  const logOut = useLogOut();
  const { language, setLanguage } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.account ?? ''}>
          <span aria-hidden>
            <AccountAvatar user={user} size={24} />
          </span>
          <VisuallyHidden>{shell.accountOf}</VisuallyHidden>
          <span className={classes.label}>{user.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account">
          {frame.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{frame.theme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => isTheme(value) && setColorScheme(value)}
        >
          {THEMES.map((theme) => (
            <Menu.RadioItem key={theme} value={theme} closeMenuOnClick>
              {frame.themes[theme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{frame.languageSwitch}</Menu.Label>
        <Menu.RadioGroup
          value={language}
          onChange={(value) => isLanguage(value) && setLanguage(value)}
        >
          {Object.entries(LANGUAGE_NAMES).map(([value, name]) => (
            <Menu.RadioItem key={value} value={value} lang={value} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => void logOut()}>{frame.logOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
