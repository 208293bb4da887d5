import { createHash } from 'node:crypto';
import type { Language } from '@atrium/contracts/auth/profile';
import { preferredLanguage } from '@atrium/service-kit/accept-language';
import type { Server } from '@atrium/service-kit/server';

const CSS =
  ':root{color-scheme:light dark;font:16px/1.65 system-ui,sans-serif;color:light-dark(#212529,#c9c9c9);' +
  'background:light-dark(#fff,#242424)}' +
  'body{margin:0}main{max-width:480px;margin:20vh auto;padding:16px 24px}h1{font-size:24px;line-height:1.3}';

const TEXTS: Record<Language, { title: string; explanation: string }> = {
  en: {
    title: 'This link leads nowhere',
    explanation:
      'It may have been deleted, or was not copied completely. Whoever gave it to you may have a new one.',
  },
  de: {
    title: 'Dieser Link führt nirgendwohin',
    explanation:
      'Er wurde vielleicht gelöscht oder nicht ganz kopiert. Wer ihn dir gegeben hat, hat vielleicht einen neuen.',
  },
};

const PAGES: Record<Language, string> = { en: pageIn('en'), de: pageIn('de') };

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(CSS).digest('base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
};

/**
 * Answers a person who follows a short link that does not exist with a page, which shows nothing of the request. Only
 * browsers ask for one; others get the error.
 */
export function showDeadLinks(server: Server): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 404) return done(null, payload);
    const { accept, 'accept-language': languages } = request.headers;
    void reply.header('vary', 'origin, accept, accept-language');
    if (accept?.includes('text/html') !== true) return done(null, payload);
    void reply.headers(HEADERS);
    return done(null, PAGES[preferredLanguage(languages)]);
  });
}

function pageIn(language: Language): string {
  const { title, explanation } = TEXTS[language];
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title><style>${CSS}</style></head>`,
    `<body><main><h1>${title}</h1><p>${explanation}</p></main></body></html>`,
  ].join('');
}
