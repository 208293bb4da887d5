import { ResizeFit, Transformer } from '@napi-rs/image';
import { unavailable, validationError } from '@atrium/service-kit/http-error';
import pLimit from 'p-limit';
import { readImageHeader } from './image-header.ts';

/** Of the stored image, in pixels. The smaller size is for the rare image that compresses badly. */
const SIZES = [512, 256];
const QUALITY = 80;
const MAX_BYTES = 200_000;
/** What a camera makes; decoded it takes up to eight bytes a pixel (PNG with 16 bits a sample). */
const MAX_PIXELS = 25_000_000;
const MAX_SIDE = 10_000;
const MAX_WAITING = 8;

/** One at a time: decoding takes memory, and threads that hash passwords. */
const inTurn = pLimit(1);

/**
 * The centre square of an uploaded image as WebP of at most 200 kB. Encoding it again removes
 * everything but the pixels: a location in EXIF, or a second file appended to the image.
 *
 * @throws HttpError 422 when it is not an image or too large, 503 when too many are waiting
 */
export async function encodeAvatar(upload: Buffer): Promise<Buffer> {
  const header = readImageHeader(upload);
  if (header === undefined) {
    throw validationError('Image must be a PNG, JPEG or WebP image');
  }
  const { width, height } = header;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) {
    throw validationError('Image must have at most 25 million pixels and 10,000 on each side');
  }
  if (inTurn.pendingCount >= MAX_WAITING) {
    throw unavailable('The service is busy, please try again');
  }
  return inTurn(async () => {
    for (const size of SIZES) {
      const encoded = await encodeSquare(upload, Math.min(size, width, height));
      if (encoded.length <= MAX_BYTES) return encoded;
    }
    throw validationError('Image cannot be compressed enough');
  });
}

async function encodeSquare(upload: Buffer, size: number): Promise<Buffer> {
  try {
    // As the camera was held (EXIF), since the orientation is not stored.
    const upright = new Transformer(upload).rotate();
    return await upright.resize(size, size, undefined, ResizeFit.Cover).webp(QUALITY);
  } catch {
    throw validationError('Image is damaged');
  }
}
