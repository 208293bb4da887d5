import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import { encodeImage, type ImageType } from '@atrium/service-kit/images/encode';
import { isCleanImage } from './clean-image.ts';

/** An image is read into memory as a whole, since decoding needs all of it. */
const IMAGE_MAX_BYTES = 20 * 1024 ** 2;
/** All images that this process reads at the same time, and those of one account. */
const MEMORY_MAX_BYTES = 64 * 1024 ** 2;
const ACCOUNT_MAX_BYTES = 24 * 1024 ** 2;
const QUALITY = 85;

const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
] satisfies ImageType[];

let bytesInMemory = 0;
const bytesByAccount = new Map<string, number>();

export function isImage(type: string): type is ImageType {
  return IMAGE_TYPES.includes(type);
}

/** @throws HttpError 503 */
function reserve(accountId: string, bytes: number): void {
  const ofAccount = (bytesByAccount.get(accountId) ?? 0) + bytes;
  const isFull = bytesInMemory + bytes > MEMORY_MAX_BYTES || ofAccount > ACCOUNT_MAX_BYTES;
  if (bytes > 0 && isFull) throw unavailable('The service is busy, please try again');
  bytesInMemory += bytes;
  if (ofAccount === 0) bytesByAccount.delete(accountId);
  else bytesByAccount.set(accountId, ofAccount);
}

/**
 * The pixels of an uploaded image alone, in the same format; the image itself when it has nothing else. It is
 * decoded in any case, so that what is damaged or too large is refused.
 *
 * @throws HttpError 413 or 422 when it is too large or damaged, 503 when others take the memory
 */
export async function readImage(
  content: AsyncIterable<Uint8Array>,
  { accountId, type, sizeBytes }: { accountId: string; type: ImageType; sizeBytes: number },
): Promise<Buffer> {
  if (sizeBytes > IMAGE_MAX_BYTES) {
    throw new HttpError('body-too-large', 'An image may have at most 20 MB');
  }
  const chunks: Uint8Array[] = [];
  let reservedBytes = 0;
  try {
    // Memory is taken only for what has arrived: an upload may be slow, or claim more than it has.
    for await (const chunk of content) {
      reserve(accountId, chunk.length);
      reservedBytes += chunk.length;
      chunks.push(chunk);
    }
    const upload = Buffer.concat(chunks);
    const encoded = await encodeImage(upload, { type, quality: QUALITY });
    return isCleanImage(upload, type) ? upload : encoded;
  } finally {
    reserve(accountId, -reservedBytes);
  }
}
