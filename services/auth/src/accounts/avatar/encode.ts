import { HttpError } from '@atrium/service-kit/http-error';
import { encodeImage } from '@atrium/service-kit/images/encode';

/** Pixels along a side, at most; the smaller size is for the rare image that compresses badly. */
const SIZE = 512;
const SMALL_SIZE = 256;
const QUALITY = 80;
const MAX_BYTES = 200_000;

/**
 * The centre square of an uploaded image as WebP of at most 200 kB.
 *
 * @throws HttpError 422 when it is not an image or too large, 503 when too many are waiting
 */
export async function encodeAvatar(upload: Buffer): Promise<Buffer> {
  const encode = (square: number) =>
    encodeImage(upload, { type: 'image/webp', quality: QUALITY, square });
  const large = await encode(SIZE);
  const encoded = large.length <= MAX_BYTES ? large : await encode(SMALL_SIZE);
  if (encoded.length > MAX_BYTES)
    throw new HttpError('image-unusable', 'Image cannot be compressed enough');
  return encoded;
}
