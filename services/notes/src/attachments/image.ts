import { buffer } from 'node:stream/consumers';
import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import { encodeImage } from '@atrium/service-kit/images/encode';

/** Read into memory as a whole, since decoding needs all of it. */
const IMAGE_MAX_BYTES = 20 * 1024 ** 2;
/** Of all images that this process reads at the same time. */
const MEMORY_MAX_BYTES = 64 * 1024 ** 2;
const QUALITY = 85;

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

let bytesInMemory = 0;

export function isImage(type: string): boolean {
  return IMAGE_TYPES.includes(type);
}

/**
 * The pixels of an uploaded image alone, in the same format.
 *
 * @throws HttpError 413 or 422 when it is too large or damaged, 503 when others take the memory
 */
export async function readImage(
  content: AsyncIterable<Uint8Array>,
  { type, sizeBytes }: { type: string; sizeBytes: number },
): Promise<Buffer> {
  if (sizeBytes > IMAGE_MAX_BYTES) {
    throw new HttpError('Payload Too Large', 'An image may have at most 20 MB');
  }
  if (bytesInMemory + sizeBytes > MEMORY_MAX_BYTES) {
    throw unavailable('The service is busy, please try again');
  }
  bytesInMemory += sizeBytes;
  try {
    const upload = await buffer(content);
    return await encodeImage(upload, (upright) => {
      if (type === 'image/png') return upright().png();
      return type === 'image/jpeg' ? upright().jpeg(QUALITY) : upright().webp(QUALITY);
    });
  } finally {
    bytesInMemory -= sizeBytes;
  }
}
