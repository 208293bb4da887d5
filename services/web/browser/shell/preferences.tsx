import { Group, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { LANGUAGE_NAMES, type Language } from '../texts/languages.ts';
import { useTranslation } from '../texts/texts.tsx';
import { isTheme, THEMES } from './themes.ts';

/** Chooses the appearance and the language on this device, where there is no account menu. */
export function Preferences() {
  const { text, language, setLanguage } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { themes } = text.frame;
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={text.frame.theme}
        value={colorScheme}
        data={THEMES.map((value) => ({ value, label: themes[value] }))}
        onChange={({ currentTarget: { value } }) => isTheme(value) && setColorScheme(value)}
      />
      <NativeSelect
        size="xs"
        aria-label={text.frame.languageSwitch}
        value={language}
        data={Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setLanguage(event.currentTarget.value as Language)}
      />
    </Group>
  );
}
