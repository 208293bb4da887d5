import { use } from 'react';
import type { Language } from './languages.ts';
import { useTranslation } from './texts.tsx';

/**
 * Texts that only some pages show: visitors of others do not load them, and nobody those of another language.
 * When they cannot be loaded, only a reload of the page tries again: React asks again each time that it
 * renders, and with a new attempt each time it would never come to know that one has failed.
 */
export function lazyTexts<Texts>(
  load: Record<Language, () => Promise<Texts>>,
): (language: Language) => Promise<Texts> {
  const started = new Map<Language, Promise<Texts>>();
  return (language) => {
    const known = started.get(language);
    const texts = known ?? load[language]();
    if (known === undefined) {
      started.set(language, texts);
      // With these fields, `use` reads the texts without suspending.
      texts
        .then((value) => Object.assign(texts, { status: 'fulfilled', value }))
        .catch(() => undefined);
    }
    return texts;
  };
}

const loadEmailLinks = lazyTexts({
  en: async () => (await import('./en/email-links.ts')).emailLinks,
  de: async () => (await import('./de/email-links.ts')).emailLinks,
});

/** Texts of the pages to which the links in emails lead. Suspends until they are loaded. */
export function useEmailLinkTexts() {
  return use(loadEmailLinks(useTranslation().language));
}

const loadLoginProviders = lazyTexts({
  en: async () => (await import('./en/login-providers.ts')).loginProviders,
  de: async () => (await import('./de/login-providers.ts')).loginProviders,
});

/** Texts for logging in with an account elsewhere. Suspends until they are loaded. */
export function useProviderTexts() {
  return use(loadLoginProviders(useTranslation().language));
}

const loadStart = lazyTexts({
  en: async () => (await import('./en/start.ts')).start,
  de: async () => (await import('./de/start.ts')).start,
});

/** Texts of the start page. Suspends until they are loaded. */
export function useStartTexts() {
  return use(loadStart(useTranslation().language));
}
