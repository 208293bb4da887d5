import { Group, NativeSelect, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../ui/error-text.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useLanguageChange } from '../../session/use-language-change.ts';
import { LANGUAGE_NAMES, type Language } from '../../texts/languages.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }));

/** The language of emails, and with it that of these pages. It is saved when it is chosen. */
export function LanguageSection() {
  const text = useAllText();
  const { profile } = text.account;
  const settings = useQuery({
    queryKey: queryKeys.account.settings,
    queryFn: ({ signal }) => atrium.auth.getSettings({ signal }),
  });
  const change = useLanguageChange();
  return (
    <Section title={profile.language} hint={profile.languageHint}>
      <FormError message={change.isError ? errorText(change.error, text) : null} />
      <Loaded query={settings} skeleton={<Skeleton h={36} w={200} />}>
        {({ language }) => (
          <Group gap="sm">
            <NativeSelect
              w={200}
              aria-label={profile.language}
              data={LANGUAGES}
              value={change.isPending ? change.variables : language}
              onChange={(event) => change.mutate(event.currentTarget.value as Language)}
            />
            <Text size="sm" c="dimmed" role="status">
              {change.isSuccess && profile.languageSaved}
            </Text>
          </Group>
        )}
      </Loaded>
    </Section>
  );
}
