/** Each language by its own name. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof LANGUAGE_NAMES;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGE_NAMES, value);
}
