// Why it is so: docs/decisions/0025-texts-are-typed-objects.md
import { createContext, type ReactNode, startTransition, use, useEffect, useState } from 'react';
import { tryStorage } from '../platform/try-storage.ts';
import { type Texts, visitor } from './en/visitor.ts';
import { isLanguage, type Language, localeOf } from './languages.ts';

const STORAGE_KEY = 'atrium.language';
/** A type: exporting the key itself would cost the login page script. */
export type LanguageStorageKey = typeof STORAGE_KEY;

interface Translation {
  language: Language;
  /** The person's variant of the language. */
  locale: string;
  text: Texts;
  setLanguage: (language: Language) => void;
}

const TranslationContext = createContext<Translation | null>(null);

/** The chosen language, or the first of the browser's languages that we have. */
export function preferredLanguage(): Language {
  const stored = tryStorage(() => localStorage.getItem(STORAGE_KEY));
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** English is the fallback and always there; other languages are loaded when they are chosen. */
async function loadTexts(language: Language): Promise<{ language: Language; text: Texts }> {
  if (language === 'en') return { language, text: visitor };
  return { language, text: (await import('./de/visitor.ts')).visitor };
}

/** The language and the texts that the first page is shown in. */
export function loadPreferred(): Promise<{ language: Language; text: Texts }> {
  return loadTexts(preferredLanguage()).catch(() => loadTexts('en'));
}

export function TextsProvider({
  initial,
  children,
}: {
  initial: { language: Language; text: Texts };
  children: ReactNode;
}) {
  const [translation, setTranslation] = useState(initial);
  useEffect(() => {
    document.documentElement.lang = translation.language;
  }, [translation.language]);
  const setLanguage = (language: Language) => {
    tryStorage(() => localStorage.setItem(STORAGE_KEY, language));
    loadTexts(language).then(
      // The page stays in the former language until all its texts are loaded.
      (loaded) => startTransition(() => setTranslation(loaded)),
      // The next visit tries again.
      () => undefined,
    );
  };
  const value = { ...translation, locale: localeOf(translation.language), setLanguage };
  return <TranslationContext value={value}>{children}</TranslationContext>;
}

/** The chosen language, and how to choose another. */
export function useTranslation(): Translation {
  const translation = use(TranslationContext);
  if (translation === null) throw new Error('TextsProvider is missing');
  return translation;
}

/** The texts of the visitors' pages and of the frame in the chosen language. */
export function useText(): Texts {
  return useTranslation().text;
}
