import { AvatarImage } from '@atrium/contracts/auth/accounts';
import { HttpError, badRequest } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { RATE_LIMITS } from '../../rate-limits.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Options of a route that takes an image, in a scope of `parseImagesOnly`. */
export const IMAGE_UPLOAD = {
  // Its chunks, and the buffer that they are joined in.
  config: { rateLimit: RATE_LIMITS.avatarByAccount, bytesPerBodyByte: 2 },
  bodyLimit: 5 * 1024 * 1024,
  body: { content: Object.fromEntries(TYPES.map((type) => [type, { schema: AvatarImage }])) },
  description:
    'The body is the image, at most 5 MiB and 25 million pixels. Its centre square is kept, ' +
    'at most 512 pixels wide.',
} as const;

export function parseImagesOnly(
  scope: Pick<Server, 'addContentTypeParser' | 'removeAllContentTypeParsers'>,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  scope.addContentTypeParser('*', (_request, _body, done) => {
    const message = 'Content-Type must be image/png, image/jpeg or image/webp';
    done(new HttpError('media-type-unsupported', message));
  });
}

/** @throws HttpError 400 without a body */
export function uploadOf({ body }: { body: unknown }): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) throw badRequest('Request body is required');
  return body;
}
