/** The languages of the pages. */
export type Language = 'en' | 'de';

/** The first of the reader's languages that we have. @param accepted `Accept-Language` */
export function languageOf(accepted: string = ''): Language {
  const tags = accepted.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return tags.find((tag) => tag === 'de' || tag === 'en') ?? 'en';
}
