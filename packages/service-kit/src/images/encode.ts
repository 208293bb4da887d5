import { Transformer } from '@napi-rs/image';
import pLimit from 'p-limit';
import { HttpError, unavailable } from '../http-error.ts';
import { toDecodable } from './decodable.ts';
import { type ImageHeader, readImageHeader } from './header.ts';

/** What a camera makes; decoded it takes up to eight bytes a pixel (PNG with 16 bits a sample). */
const MAX_PIXELS = 25_000_000;
const MAX_SIDE = 10_000;
const MAX_WAITING = 8;

/** One at a time: decoding takes memory, and threads that hash passwords. */
const inTurn = pLimit(1);

/**
 * Encodes an uploaded image again, which removes everything but the pixels: a location in EXIF, or a
 * second file appended to the image.
 *
 * @param encode gets what decodes the image as the camera was held (EXIF), as often as it asks
 * @throws HttpError 422 when it is not an image or too large, 503 when too many are waiting
 */
export async function encodeImage(
  upload: Buffer,
  encode: (upright: () => Transformer, header: ImageHeader) => Promise<Buffer>,
): Promise<Buffer> {
  const header = readImageHeader(upload);
  if (header === undefined) {
    throw new HttpError('image-unusable', 'Image must be a PNG, JPEG or WebP image');
  }
  const { width, height } = header;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) {
    throw new HttpError(
      'image-unusable',
      'Image must have at most 25 million pixels and 10,000 on each side',
    );
  }
  if (inTurn.pendingCount >= MAX_WAITING) {
    throw unavailable('The service is busy, please try again');
  }
  return inTurn(async () => {
    try {
      const image = toDecodable(upload);
      return await encode(() => new Transformer(image).rotate(), header);
    } catch {
      throw new HttpError('image-unusable', 'Image is damaged');
    }
  });
}
