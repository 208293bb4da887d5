import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { SharedNote, ShareResponse } from '@atrium/contracts/notes';
import { accountOf, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { ShareStore } from './store.ts';

export async function sharingRoutes(
  server: Server,
  options: {
    shares: ShareStore;
    sharedUrl: (token: string) => string;
    onEventStored: () => void;
  },
): Promise<void> {
  const { shares, sharedUrl, onEventStored } = options;

  server.post(
    '/api/notes/:id/share',
    {
      preHandler: requireVerifiedEmail,
      schema: {
        tags: ['sharing'],
        params: IdParams,
        response: { 200: ShareResponse, ...errorResponses(401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const outcome = await shares.share(id, accountOf(request).id, request.id);
      if (outcome.kind === 'missing') throw notFound('Note');
      if (outcome.kind === 'shared') onEventStored();
      const { token, sharedAt } = outcome.share;
      return { url: sharedUrl(token), sharedAt: sharedAt.toISOString() };
    },
  );

  server.delete(
    '/api/notes/:id/share',
    {
      schema: {
        tags: ['sharing'],
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const outcome = await shares.unshare(request.params.id, accountOf(request).id);
      if (outcome === 'missing') throw notFound('Note');
      return reply.code(204).send(null);
    },
  );
}

/** What anyone who has the link may read. */
export async function sharedNoteRoutes(
  server: Server,
  { shares }: { shares: ShareStore },
): Promise<void> {
  server.get(
    '/shared/:token',
    {
      schema: {
        tags: ['sharing'],
        security: [],
        params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: { 200: SharedNote, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const note = await shares.findShared(request.params.token);
      if (note === null) throw notFound('Shared note');
      // A note that is made private again must not live on in a cache or in a search engine.
      return reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }).send({
        ...note,
        sharedAt: note.sharedAt.toISOString(),
        updatedAt: note.updatedAt.toISOString(),
      });
    },
  );
}
