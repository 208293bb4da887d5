import { createHash } from 'node:crypto';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

// The few pages that the provider shows itself: without scripts, in English or German.

// In the colours and sizes of the pages of web (services/web/browser/ui).
const STYLE =
  ':root{color-scheme:light dark;background:light-dark(#fff,#1f1d1b);color:light-dark(#1f1d1b,#e8e6e3)}' +
  'body{margin:0;font:16px/1.55 system-ui,sans-serif}' +
  'main{max-width:560px;margin:0 auto;padding:64px 24px}' +
  'h1{margin:0 0 16px;font-size:24px;line-height:1.3;font-weight:600}p{margin:0 0 24px}' +
  'button{min-height:36px;margin:0 8px 8px 0;padding:0 18px;border:1px solid #8a857f;border-radius:6px;' +
  'background:none;color:inherit;font:600 14px system-ui,sans-serif;cursor:pointer}' +
  'button[value]{border-color:#3b5bdb;background:#3b5bdb;color:#fff}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const TEXTS = {
  en: {
    logout: 'Log out of Atrium?',
    logoutText: (name?: string) =>
      `${name === undefined ? 'An application' : `“${name}”`} asks to log you out, in this browser and of Atrium too.`,
    yes: 'Log out',
    no: 'Stay logged in',
    done: 'You have been logged out',
    doneText: 'You can close this page.',
    failed: 'This login cannot go on',
    failedText: 'The application has sent a request that Atrium cannot answer:',
  },
  de: {
    logout: 'Von Atrium abmelden?',
    logoutText: (name?: string) =>
      `${name === undefined ? 'Eine Anwendung' : `„${name}“`} möchte dich abmelden, in diesem Browser auch von Atrium.`,
    yes: 'Abmelden',
    no: 'Angemeldet bleiben',
    done: 'Du bist abgemeldet',
    doneText: 'Du kannst diese Seite schließen.',
    failed: 'Diese Anmeldung kann nicht weitergehen',
    failedText: 'Die Anwendung hat eine Anfrage gesendet, die Atrium nicht beantworten kann:',
  },
};

function show(ctx: KoaContextWithOIDC, content: (texts: (typeof TEXTS)['en']) => [string, string]) {
  const language = ctx.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en';
  const [title, body] = content(TEXTS[language]);
  ctx.type = 'html';
  // No `form-action`: a browser would also hold it against where the answer to the form leads to.
  ctx.set(
    'content-security-policy',
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
  );
  ctx.body =
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<style>${STYLE}</style><main><h1>${title}</h1>${body}</main>`;
}

/** Asks before it logs somebody out: anybody can send them here. */
export function showLogout(ctx: KoaContextWithOIDC, form: string): void {
  const button = 'type="submit" form="op.logoutForm"';
  const clientName = ctx.oidc.client?.clientName;
  const name = clientName && escape(clientName);
  show(ctx, ({ logout, logoutText, yes, no }) => [
    logout,
    `<p>${logoutText(name)}</p>${form}` +
      `<button ${button} name="logout" value="yes">${yes}</button><button ${button}>${no}</button>`,
  ]);
}

export function showLoggedOut(ctx: KoaContextWithOIDC): void {
  show(ctx, ({ done, doneText }) => [done, `<p>${doneText}</p>`]);
}

/** An error that no application may be told, because nobody knows which one it is. */
export function showError(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
): void {
  show(ctx, ({ failed, failedText }) => [
    failed,
    `<p>${failedText}</p><p><code>${escape(description ?? error)}</code></p>`,
  ]);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
