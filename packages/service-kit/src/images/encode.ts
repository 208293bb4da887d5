import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { HttpError, unavailable } from '../http-error.ts';
import { readImageHeader } from './header.ts';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

interface Encoding {
  type: ImageType;
  /** From 1 to 100; PNG has none. */
  quality: number;
  /** The side in pixels of a square that is cut from the middle; smaller when the image is. */
  square?: number | undefined;
}

/** What a camera makes. */
const MAX_PIXELS = 25_000_000;
const MAX_SIDE = 10_000;
const MAX_WAITING = 8;
/** A photo of 25 million pixels takes 3 s. */
const CPU_SECONDS = 20;
/** 600 MB of it Node reserves and does not use; a photo of 25 million pixels takes up to 400 MB. */
const DATA_KIB = 1_000_000;
/** For a machine that gives it little processor time. */
const DEADLINE_MS = 120_000;
const MAX_BYTES = 64_000_000;
const PROGRAM = fileURLToPath(new URL('encode-process.ts', import.meta.url));

const run = promisify(execFile);
/** One at a time, for the memory that it takes. */
const inTurn = pLimit(1);

/**
 * Encodes an uploaded image again, as the camera was held (EXIF), which removes everything but the
 * pixels: a location in EXIF, or a second file appended to the image. A process of its own does that, with
 * bounds on its memory and time: a small file can make a decoder take gigabytes, and nothing in front of it
 * knows all the ways.
 *
 * @throws HttpError 422 when it is not an image or too large, 503 when too many are waiting
 */
export async function encodeImage(upload: Buffer, encoding: Encoding): Promise<Buffer> {
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
  const square = encoding.square && Math.min(encoding.square, width, height);
  return inTurn(() => runProcess(upload, { ...encoding, square }));
}

async function runProcess(image: Buffer, { type, quality, square }: Encoding): Promise<Buffer> {
  const limits = `ulimit -c 0; ulimit -t ${CPU_SECONDS}; ulimit -d ${DATA_KIB}; exec "$@"`;
  const command = [process.execPath, PROGRAM, type, String(quality)];
  if (square !== undefined) command.push(String(square));
  const running = run('/bin/sh', ['-c', limits, 'sh', ...command], {
    encoding: 'buffer',
    // It decodes what others upload, so it is given no secrets.
    env: {},
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
  });
  // When it ends before it has read everything, its exit says so.
  running.child.stdin?.on('error', () => undefined).end(image);
  try {
    return (await running).stdout;
  } catch {
    throw new HttpError('image-unusable', 'Image is damaged, or takes too much memory');
  }
}
