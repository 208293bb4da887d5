import { UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useLogOut } from '../session/log-out.ts';
import { useLanguageChange } from '../session/use-language-change.ts';
import { useUser } from '../session/user.ts';
import { isLanguage, LANGUAGE_NAMES } from '../texts/languages.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { AccountAvatar } from '../ui/controls/account-avatar.tsx';
import {
  PopoverMenu,
  PopoverMenuChoices,
  PopoverMenuItem,
  PopoverMenuLink,
} from '../ui/controls/popover-menu.tsx';
import { useErrorToast } from '../ui/toasts/toasts.tsx';
import { THEMES } from './themes.ts';
import classes from './sidebar.module.css';

const LANGUAGES = Object.keys(LANGUAGE_NAMES).filter(isLanguage);

/** Whose session this is, with the appearance on this device and the language of the account. */
export function AccountMenu() {
  const { frame, shell } = useSignedInText();
  const user = useUser();
  const logOut = useLogOut();
  const { language, setLanguage } = useTranslation();
  const languageChange = useLanguageChange();
  const showError = useErrorToast();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <PopoverMenu
      button={(opens) => (
        <UnstyledButton {...opens} className={classes.account ?? ''}>
          <span aria-hidden>
            <AccountAvatar user={user} size={24} />
          </span>
          <VisuallyHidden>{shell.accountOf}</VisuallyHidden>
          <span className={classes.label}>{user.name}</span>
        </UnstyledButton>
      )}
    >
      <PopoverMenuLink to="/account">{frame.account}</PopoverMenuLink>
      <PopoverMenuChoices label={frame.theme}>
        {THEMES.map((theme) => (
          <PopoverMenuItem
            key={theme}
            isChecked={theme === colorScheme}
            onClick={() => setColorScheme(theme)}
          >
            {frame.themes[theme]}
          </PopoverMenuItem>
        ))}
      </PopoverMenuChoices>
      <PopoverMenuChoices label={frame.languageSwitch}>
        {LANGUAGES.map((value) => (
          <PopoverMenuItem
            key={value}
            lang={value}
            isChecked={value === language}
            onClick={() => {
              // At once, and also without the network.
              setLanguage(value);
              languageChange.mutate(value, { onError: showError });
            }}
          >
            {LANGUAGE_NAMES[value]}
          </PopoverMenuItem>
        ))}
      </PopoverMenuChoices>
      <PopoverMenuItem onClick={() => void logOut()}>{frame.logOut}</PopoverMenuItem>
    </PopoverMenu>
  );
}
