import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { LocalRateLimiter } from '@atrium/service-kit/rate-limit';
import { addRateLimitHeaders } from '@atrium/service-kit/request-limits';
import type { Server } from '@atrium/service-kit/server';
import { explanationPage, type PageFrame } from './page.ts';
import { preferredLanguage } from '@atrium/service-kit/accept-language';

export interface PageOptions {
  limiter: LocalRateLimiter | undefined;
  webUrl: string;
  /** The page of the client, which links to the icon. */
  html: string;
}

export const HTML = 'text/html; charset=utf-8';
/** Reads from one IP address, by one process. */
const READS = { name: 'public-notes', limit: 600, windowSeconds: 60 };
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 4096;

/** Whether it may be the token of a link. */
export const isToken = (text: string) => /^[\w-]{43}$/.test(text);

/** People get the page, and so do those who make previews and accept anything. */
export const wantsJson = (accept: string = '') =>
  accept.includes('application/json') && !accept.includes('text/html');

/** Prepares a scope for pages without a script: headers, rate limit, forms, and errors as pages. */
export async function preparePages(
  server: Server,
  { limiter, webUrl, html }: PageOptions,
): Promise<PageFrame> {
  const [, icon = ''] = /<link rel="icon" href="([^"]*)"/.exec(html) ?? [];
  const frame = { css: await readStyles(), icon, webUrl };
  const policy = policyOf(frame);

  server.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  server.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'x-robots-tag': 'noindex',
      vary: 'accept, accept-language, cookie',
    });
    if (limiter !== undefined) {
      addRateLimitHeaders(reply, READS, limiter.consumeLocally(READS, request.ip));
    }
  });

  // Whatever went wrong, a person gets a page that says so.
  server.addHook('onSend', async (request, reply, payload) => {
    const isAnswered = String(reply.getHeader('content-type')).startsWith('text/html');
    if (reply.statusCode < 400 || isAnswered || wantsJson(request.headers.accept)) return payload;
    void reply.type(HTML);
    const language = preferredLanguage(request.headers['accept-language']);
    const code = reply.getHeader('error-code');
    const { token } = request.params as { token: string };
    const isComplete = isToken(token);
    return explanationPage(frame, { language, status: reply.statusCode, code, isComplete });
  });

  return frame;
}

async function readStyles(): Promise<string> {
  const files = ['page.css', '../markdown/markdown.css', 'note.css'].map(
    (name) => new URL(name, import.meta.url),
  );
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

function policyOf({ css }: PageFrame): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
