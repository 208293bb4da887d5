import { escapeHtml } from './escape-html.ts';
import type { Language } from '@atrium/contracts/auth/profile';

const TEXTS: Record<Language, { title: string; explanation: string; tryAgain: string }> = {
  en: {
    title: 'This is taking longer than usual',
    explanation: 'Atrium has not been loaded yet. The page opens as soon as it has.',
    tryAgain: 'Try again',
  },
  de: {
    title: 'Das dauert länger als sonst',
    explanation: 'Atrium ist noch nicht geladen. Die Seite öffnet sich, sobald es so weit ist.',
    tryAgain: 'Erneut versuchen',
  },
};

/** What a page shows that has waited for its script for too long; the script replaces it. */
export function latePage(language: Language): string {
  const { title, explanation, tryAgain } = TEXTS[language];
  return [
    `<main class="late-page" lang="${language}">`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(explanation)}</p>`,
    `<p><a href="">${escapeHtml(tryAgain)}</a></p>`,
    '</main>',
  ].join('');
}
