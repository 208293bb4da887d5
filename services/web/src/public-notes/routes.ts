import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { notFound } from '@atrium/service-kit/http-error';
import type { LocalRateLimiter } from '@atrium/service-kit/rate-limit';
import { addRateLimitHeaders } from '@atrium/service-kit/request-limits';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { explanationPage, notePage } from './page.ts';
import type { NoteRenderer } from './renderer.ts';
import type { SharedNotes } from './shared-notes.ts';
import { languageOf } from './texts.ts';

/** Of one address, to one process. */
const READS = { name: 'public-notes', limit: 600, windowSeconds: 60 };
const TOKEN = /^[\w-]{43}$/;

/** People get the page, and so do those who make previews and accept anything. */
const wantsJson = (accept: string = '') =>
  accept.includes('application/json') && !accept.includes('text/html');

/**
 * `/s/{token}`: a note as whoever has its link reads it, without a script. Nothing is cached, so that it is
 * gone as soon as its owner stops sharing it.
 */
export async function publicNoteRoutes(
  server: Server,
  options: {
    notes: SharedNotes;
    renderer: NoteRenderer;
    limiter: LocalRateLimiter | undefined;
    webUrl: string;
    /** The page of the client, which links to the icon. */
    html: string;
  },
): Promise<void> {
  const { notes, renderer, limiter, webUrl } = options;
  const css = await readFile(new URL('page.css', import.meta.url), 'utf8');
  const [, icon = ''] = /<link rel="icon" href="([^"]*)"/.exec(options.html) ?? [];
  const frame = { css, icon, webUrl };
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', css, 'base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

  server.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'x-robots-tag': 'noindex',
      vary: 'accept, accept-language',
    });
    if (limiter !== undefined) {
      addRateLimitHeaders(reply, READS, limiter.consumeLocally(READS, request.ip));
    }
  });

  server.get(
    '/s/:token',
    {
      schema: { hide: true, params: Type.Object({ token: Type.String() }) },
      // Whatever went wrong, a person gets a page that says so.
      async onSend(request, reply, payload) {
        if (reply.statusCode < 400 || wantsJson(request.headers.accept)) return payload;
        void reply.type('text/html; charset=utf-8');
        return explanationPage(frame, {
          language: languageOf(request.headers['accept-language']),
          status: reply.statusCode,
          isToken: TOKEN.test(request.params.token),
        });
      },
    },
    async (request, reply) => {
      const { token } = request.params;
      if (!TOKEN.test(token)) throw notFound('Shared note');
      const note = await notes.read(token, request);
      if (wantsJson(request.headers.accept)) return note;
      const language = languageOf(request.headers['accept-language']);
      const rendered = await renderer.render(note.content);
      const url = `${webUrl}/s/${token}`;
      return reply
        .type('text/html; charset=utf-8')
        .send(notePage(frame, { url, language, note, rendered }));
    },
  );
}
