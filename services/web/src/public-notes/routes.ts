import fastifyCookie from '@fastify/cookie';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { preferredLanguage } from '@atrium/service-kit/accept-language';
import { notePage, openingPage } from './page.ts';
import { HTML, isToken, type PageOptions, preparePages, wantsJson } from './prepare-pages.ts';
import type { NoteRenderer } from './renderer.ts';
import type { Reader, SharedNotes } from './shared-notes.ts';
import { type PublicNoteTexts, TEXTS } from './texts.ts';

/** Keeps that a note was opened. Its path is that of the page, so no other page gets it. */
const COOKIE = 'shareAccess';
/** Secure also over http: browsers treat localhost as secure, and elsewhere there is TLS. */
const COOKIE_ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'lax' } as const;

/** As long as the router takes: what cannot be one is not found. */
const PathPart = Type.String({ maxLength: 256 });
const OpeningForm = Type.Object({ password: Type.Optional(Type.String({ maxLength: 1000 })) });

/**
 * `/s/{token}`: a note as whoever has its link reads it, without a script. Nothing is cached, so that it is
 * gone as soon as its owner stops sharing it. A note with a password or a maximum of views is opened by a form:
 * programs that fetch a preview of a link do not send it.
 */
export async function publicNoteRoutes(
  server: Server,
  options: PageOptions & { notes: SharedNotes; renderer: NoteRenderer },
): Promise<void> {
  const { notes, renderer, webUrl } = options;
  await server.register(fastifyCookie);
  const frame = await preparePages(server, options);
  const schema = { hide: true, params: Type.Object({ token: PathPart }) };

  server.get('/s/:token', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { token } = request.params;
    const reader = readerOf(token, request);
    if (wantsJson(request.headers.accept)) return notes.read(token, reader, { mayCount: true });
    const language = preferredLanguage(request.headers['accept-language']);
    const conditions = await notes.conditions(token, reader);
    void reply.type(HTML);
    if (conditions.needsPassword || conditions.viewsLeft !== null) {
      return openingPage(frame, { language, conditions });
    }
    const note = await notes.read(token, reader);
    if (note.allowIndexing && reader.access === undefined) void reply.removeHeader('x-robots-tag');
    const attachmentsAt = `/s/${token}/attachments/`;
    const { content } = note;
    const rendered = await renderer.render({ content, attachmentsAt }, request.ip);
    return notePage(frame, { url: `${webUrl}/s/${token}`, language, note, rendered });
  });

  // Programs that look whether a link works have not read the note.
  server.head('/s/:token', { schema }, async (request, reply) => {
    const { token } = request.params;
    await notes.conditions(token, readerOf(token, request));
    return reply.type(HTML).send();
  });

  server.post('/s/:token', { schema: { ...schema, body: OpeningForm } }, async (request, reply) => {
    const { token } = request.params;
    const reader = { ...readerOf(token, request), access: undefined };
    const language = preferredLanguage(request.headers['accept-language']);
    try {
      const { access } = await notes.open(token, request.body.password, reader);
      void reply.setCookie(COOKIE, access, { ...COOKIE_ATTRIBUTES, path: `/s/${token}` });
    } catch (error) {
      const rejection = passwordError(error, TEXTS[language]);
      if (rejection === undefined) throw error;
      const conditions = await notes.conditions(token, reader);
      return reply
        .code(rejection.status)
        .type(HTML)
        .send(openingPage(frame, { language, conditions, error: rejection.text }));
    }
    // So that reloading the page does not open the note again.
    return reply.redirect(`/s/${token}`, 303);
  });

  server.get(
    '/s/:token/attachments/:id',
    {
      // A HEAD request would read the whole file.
      exposeHeadRoute: false,
      schema: { hide: true, params: Type.Object({ token: PathPart, id: PathPart }) },
    },
    async (request, reply) => {
      const { token, id } = request.params;
      const { headers, content } = await notes.attachment(token, id, readerOf(token, request));
      return reply.headers(headers).send(content);
    },
  );
}

function readerOf(
  token: string,
  { id, ip, cookies }: { id: string; ip: string; cookies: Record<string, string | undefined> },
): Reader {
  if (!isToken(token)) throw notFound('Shared note of an incomplete link');
  return { id, ip, access: cookies[COOKIE] };
}

function passwordError(
  error: unknown,
  texts: PublicNoteTexts,
): { status: number; text: string } | undefined {
  if (!(error instanceof HttpError)) return undefined;
  const { status, headers } = error;
  if (status === 401) return { status, text: texts.wrongPassword };
  if (status !== 429) return undefined;
  const minutes = Math.ceil(Number(headers['retry-after'] ?? 60) / 60);
  return { status, text: texts.tooManyPasswords(minutes) };
}
