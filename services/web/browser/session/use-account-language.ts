import { useQuery } from '@tanstack/react-query';
import { tryStorage } from '../platform/try-storage.ts';
import { isLanguage } from '../texts/languages.ts';
import { type LanguageStorageKey, useTranslation } from '../texts/texts.tsx';
import { atrium } from './atrium.ts';
import { queryKeys } from './query-keys.ts';

const STORAGE_KEY: LanguageStorageKey = 'atrium.language';

const hasChosen = () => isLanguage(tryStorage(() => localStorage.getItem(STORAGE_KEY)));

/** Shows the pages in the language of the account on a device on which none was chosen, and keeps it there. */
export function useAccountLanguage(): void {
  const { setLanguage } = useTranslation();
  useQuery({
    queryKey: queryKeys.account.language,
    queryFn: async ({ signal }) => {
      const { language } = await atrium.auth.getSettings({ signal });
      // It may have been chosen meanwhile.
      if (!hasChosen()) setLanguage(language);
      return language;
    },
    enabled: !hasChosen(),
    staleTime: Infinity,
  });
}
