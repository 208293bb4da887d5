/** Each language by its own name. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof LANGUAGE_NAMES;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGE_NAMES, value);
}

/** The person's own variant of a language, such as en-GB, if the browser names one. */
export function localeOf(language: string): string {
  const isOwn = (tag: string) => tag.split('-')[0] === language && isLocale(tag);
  return navigator.languages.find(isOwn) ?? language;
}

/** Some browsers name what is no language tag, such as en-US@posix. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
