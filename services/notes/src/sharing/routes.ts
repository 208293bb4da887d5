import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { SharedNote, ShareResponse } from '@atrium/contracts/notes';
import { accountOf, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../members/access.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { ShareStore } from './store.ts';

export async function sharingRoutes(
  server: Server,
  options: {
    shares: ShareStore;
    access: AccessChecks;
    sharedUrl: (token: string) => string;
    onEventStored: () => void;
  },
): Promise<void> {
  const { shares, access, sharedUrl, onEventStored } = options;

  server.post(
    '/api/notes/:id/share',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'shareNote',
        summary: 'Make a note public and get its link',
        tags: ['Sharing'],
        params: IdParams,
        response: { 200: ShareResponse, ...errorResponses(401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'shareNotes');
      const outcome = await shares.share(id, accountId, request.id);
      if (outcome.kind === 'missing') throw notFound('Note');
      if (outcome.kind === 'shared') onEventStored();
      const { token, sharedAt } = outcome.share;
      return { url: sharedUrl(token), sharedAt: sharedAt.toISOString() };
    },
  );

  server.delete(
    '/api/notes/:id/share',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'unshareNote',
        summary: 'Make a note private',
        tags: ['Sharing'],
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'shareNotes');
      const outcome = await shares.unshare(id, accountId);
      if (outcome === 'missing') throw notFound('Note');
      return reply.code(204).send(null);
    },
  );
}

/** The public route: the token in the address is the only credential. */
export async function sharedNoteRoutes(
  server: Server,
  { shares }: { shares: ShareStore },
): Promise<void> {
  server.get(
    '/shared/:token',
    {
      schema: {
        operationId: 'getSharedNote',
        summary: 'Read a public note by its link',
        tags: ['Sharing'],
        security: [],
        params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: { 200: SharedNote, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const note = await shares.findShared(request.params.token);
      if (note === null) throw notFound('Shared note');
      // Caches and search engines must not keep a note that becomes private again.
      return reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }).send({
        ...note,
        sharedAt: note.sharedAt.toISOString(),
        updatedAt: note.updatedAt.toISOString(),
      });
    },
  );
}
