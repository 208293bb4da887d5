import { AvatarImage, CurrentUser } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database, Tx } from '../../database.ts';
import { type Requester, requesterOf } from '../requester.ts';
import { lockBySession } from '../store.ts';
import { encodeAvatar } from './encode.ts';
import { findAvatar, removeAvatar, saveAvatar } from './store.ts';
import { IMAGE_UPLOAD, parseImagesOnly, uploadOf } from './uploads.ts';

interface AvatarRoutesDeps {
  database: Database;
  readCurrentUser: (accountId: string) => Promise<CurrentUser | undefined>;
  authenticator: Authenticator;
  clockMs: () => number;
}

const tags = ['Accounts'];
const security = [{ bearer: [] }];
const image = { schema: AvatarImage };

export function avatarRoutes(server: Server, deps: AvatarRoutesDeps): void {
  const { database, clockMs } = deps;
  const { authenticate: onRequest } = deps.authenticator;

  server.register((scope, _options, done) => {
    parseImagesOnly(scope);
    scope.put(
      '/user/me/avatar',
      {
        config: IMAGE_UPLOAD.config,
        onRequest,
        bodyLimit: IMAGE_UPLOAD.bodyLimit,
        schema: {
          operationId: 'uploadAvatar',
          summary: 'Upload an avatar',
          description: IMAGE_UPLOAD.description,
          tags,
          security,
          body: IMAGE_UPLOAD.body,
          response: { 200: CurrentUser, ...errorResponses(401, 413, 415, 422, 'image-unusable') },
        },
      },
      async (request) => {
        const requester = requesterOf(request);
        const encoded = await encodeAvatar(uploadOf(request));
        return change(requester, (tx, owner) => saveAvatar(tx, { ...owner, image: encoded }));
      },
    );
    done();
  });

  server.delete(
    '/user/me/avatar',
    {
      onRequest,
      schema: {
        operationId: 'removeAvatar',
        summary: 'Remove the avatar',
        tags,
        security,
        response: { 200: CurrentUser, ...errorResponses(401) },
      },
    },
    (request) => change(requesterOf(request), removeAvatar),
  );

  server.get(
    '/avatars/:id',
    {
      schema: {
        operationId: 'getAvatar',
        summary: 'Get an uploaded avatar or logo by its URL in a profile',
        tags,
        params: IdParams,
        response: {
          200: { content: { 'image/webp': { ...image, example: 'RIFF…WEBPVP8 …' } } },
          ...errorResponses(404),
        },
      },
    },
    async (request, reply) => {
      const content = await findAvatar(database, request.params.id);
      if (content === undefined) {
        throw notFound('Avatar');
      }
      return reply
        .type('image/webp')
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          // Pages of every product show it.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(content);
    },
  );

  async function change(
    requester: Requester,
    write: (tx: Tx, owner: { accountId: string; nowMs: number }) => Promise<void>,
  ): Promise<CurrentUser> {
    const { accountId } = requester;
    await database.transaction(requester.origin, async (tx) => {
      if ((await lockBySession(tx, requester)) === undefined) {
        throw new HttpError('token-invalid');
      }
      await write(tx, { accountId, nowMs: clockMs() });
    });
    const user = await deps.readCurrentUser(accountId);
    if (user === undefined) {
      throw new HttpError('token-invalid');
    }
    return user;
  }
}
