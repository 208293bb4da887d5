import type { Language } from '@atrium/contracts/auth/profile';

/** The supported language that `Accept-Language` prefers (RFC 9110 section 12.5.4); else English. */
export function preferredLanguage(header: string | undefined): Language {
  const accepted = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { language: tag.split('-')[0], quality: Number(quality) };
  });
  const best = accepted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .find(({ language }) => language === 'en' || language === 'de');
  return best?.language === 'de' ? 'de' : 'en';
}
