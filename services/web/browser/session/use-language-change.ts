import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Language } from '../texts/languages.ts';
import { useTranslation } from '../texts/texts.tsx';
import { atrium } from './atrium.ts';
import { queryKeys } from './query-keys.ts';

/** Changes the language of the account, in which emails are written, and with it that of these pages. */
export function useLanguageChange() {
  const { setLanguage } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    // The last choice is also the last that is saved.
    scope: { id: 'language' },
    mutationFn: (language: Language) => atrium.auth.updateSettings({ language }),
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKeys.account.settings, saved);
      setLanguage(saved.language);
    },
  });
}
