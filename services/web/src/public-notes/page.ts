import type { ReadingConditions, SharedNote } from '@atrium/contracts/notes/sharing';
import { escapeHtml } from '../pages/escape-html.ts';
import type { RenderedNote } from './rendered-note.ts';
import type { Language } from '@atrium/contracts/auth/profile';
import { TEXTS } from './texts.ts';

/** What every page of this folder has. */
export interface PageFrame {
  webUrl: string;
  /** The style sheet, which stands in the page: it is there with the first byte of text. */
  css: string;
  /** The path of the icon. */
  icon: string;
}

export function notePage(
  frame: PageFrame,
  options: { url: string; language: Language; note: SharedNote; rendered: RenderedNote },
): string {
  const { language, note, rendered } = options;
  const { updated, tags } = TEXTS[language];
  const title = escapeHtml(note.title);
  const description = rendered.description.replaceAll('"', '&quot;');
  const date = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(note.updatedAt));
  const tagItems = note.tags.map((tag) => `<li>${escapeHtml(tag)}</li>`).join('');
  const head = `
    <meta name="description" content="${description}" />
    <meta property="og:type" content="article" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${escapeHtml(options.url)}" />
    <meta property="og:site_name" content="${TEXTS[language].product}" />
    <meta property="article:modified_time" content="${note.updatedAt}" />
    <meta name="twitter:card" content="summary" />`;
  // The language of a note is not known, nor its direction.
  const body = `
      <article lang="" dir="auto">
        <h1>${title}</h1>
        <div class="about" lang="${language}" dir="ltr">
          <time datetime="${note.updatedAt}">${updated(date)}</time>
          ${tagItems === '' ? '' : `<ul aria-label="${tags}">${tagItems}</ul>`}
        </div>
        <div class="markdown">${rendered.html}</div>
      </article>`;
  return page(frame, { language, title, head, body });
}

/** Says why there is no note. */
export function explanationPage(
  frame: PageFrame,
  refused: { language: Language; status: number; code: unknown; isComplete: boolean },
): string {
  const { language } = refused;
  const [title, explanation] = explanationOf(refused);
  const body = `
      <h1>${title}</h1>
      <p>${explanation}</p>`;
  return page(frame, { language, title, head: '', body });
}

function explanationOf({
  language,
  status,
  code,
  isComplete,
}: Parameters<typeof explanationPage>[1]): readonly [string, string] {
  const texts = TEXTS[language];
  if (status === 429) return texts.busy;
  if (status >= 500) return texts.failed;
  if (!isComplete) return texts.incomplete;
  if (code === 'share-expired') return texts.expired;
  return code === 'share-used-up' ? texts.usedUp : texts.withdrawn;
}

/** Asks before a note is opened, without telling anything about it. */
export function openingPage(
  frame: PageFrame,
  options: { language: Language; conditions: ReadingConditions; error?: string | undefined },
): string {
  const { language, error, conditions } = options;
  const { needsPassword, viewsLeft } = conditions;
  const texts = TEXTS[language];
  const [title, explanation] = needsPassword ? texts.protected : texts.limited;
  const left = viewsLeft === null ? '' : ` ${texts.viewsLeft(viewsLeft)}`;
  const limit = needsPassword && viewsLeft !== null ? ` ${texts.limited[1]}` : '';
  const field = `
        <label for="password">${texts.password}</label>
        <input id="password" name="password" type="password" required autofocus maxlength="128"
          autocomplete="current-password"${error === undefined ? '' : ' aria-invalid="true" aria-describedby="error"'} />`;
  const body = `
      <h1>${title}</h1>
      <p>${explanation}${limit}${left}</p>
      <form method="post">${needsPassword ? field : ''}
        ${error === undefined ? '' : `<p id="error" class="error" role="alert">${error}</p>`}
        <button>${texts.open}</button>
      </form>`;
  return page(frame, { language, title, head: '', body });
}

function page(
  { css, icon, webUrl }: PageFrame,
  {
    language,
    title,
    head,
    body,
  }: { language: Language; title: string; head: string; body: string },
): string {
  const { product } = TEXTS[language];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · ${product}</title>${head}
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    <style>${css}</style>
  </head>
  <body>
    <header>
      <a href="${escapeHtml(webUrl)}/"><img src="${icon}" alt="" width="24" height="24" />${product}</a>
    </header>
    <main>${body}
    </main>
  </body>
</html>
`;
}
