import { AvatarImage, CurrentUser } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, badRequest, notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database, Tx } from '../../database.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { type Requester, requesterOf } from '../requester.ts';
import { lockBySession } from '../store.ts';
import { encodeAvatar } from './encode.ts';
import { findAvatar, removeAvatar, saveAvatar } from './store.ts';

interface AvatarRoutesDeps {
  database: Database;
  readCurrentUser: (accountId: string) => Promise<CurrentUser | undefined>;
  authenticator: Authenticator;
  clockMs: () => number;
}

const UPLOAD_MAX_BYTES = 5 * 1024 * 1024;
const UPLOAD_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

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
        config: { rateLimit: RATE_LIMITS.avatarByAccount },
        onRequest,
        bodyLimit: UPLOAD_MAX_BYTES,
        schema: {
          operationId: 'uploadAvatar',
          summary: 'Upload an avatar',
          description:
            'The body is the image, at most 5 MiB and 25 million pixels. Its centre square is kept, ' +
            'at most 512 pixels wide.',
          tags,
          security,
          body: { content: Object.fromEntries(UPLOAD_TYPES.map((type) => [type, image])) },
          response: { 200: CurrentUser, ...errorResponses(401, 413, 415, 422, 'image-unusable') },
        },
      },
      async (request) => {
        const requester = requesterOf(request);
        if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
          throw badRequest('Request body is required');
        }
        const encoded = await encodeAvatar(request.body);
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
        summary: 'Get an uploaded avatar by its address in a profile',
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

function parseImagesOnly(
  scope: Pick<Server, 'addContentTypeParser' | 'removeAllContentTypeParsers'>,
) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(UPLOAD_TYPES, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  scope.addContentTypeParser('*', (_request, _body, done) => {
    const message = 'Content-Type must be image/png, image/jpeg or image/webp';
    done(new HttpError('media-type-unsupported', message));
  });
}
