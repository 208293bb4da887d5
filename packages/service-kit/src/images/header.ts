interface ImageHeader {
  width: number;
  height: number;
}

/** The offset of the first chunk of a WebP image, after `RIFF`, the size of the file, and `WEBP`. */
const FIRST_CHUNK = 12;
/** An extended WebP image has about six. */
const MAX_CHUNKS = 64;

/**
 * The size that a PNG, JPEG or WebP image declares, read without decoding it, so that a small file
 * cannot make the decoder allocate gigabytes. Undefined for anything else, and for animations.
 */
export function readImageHeader(image: Buffer): ImageHeader | undefined {
  try {
    return readPng(image) ?? readWebp(image) ?? readJpeg(image);
  } catch (error) {
    // The header is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isPng(image: Buffer): boolean {
  return image.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
}

function isJpeg(image: Buffer): boolean {
  return image.readUInt16BE(0) === 0xffd8;
}

/** PNG (ISO/IEC 15948) section 11.2.2: IHDR is the first chunk. */
function readPng(image: Buffer): ImageHeader | undefined {
  if (!isPng(image)) return undefined;
  return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
}

/** RFC 9649 sections 2.5 to 2.7. */
function readWebp(image: Buffer): ImageHeader | undefined {
  if (image.toString('latin1', 0, 4) !== 'RIFF' || image.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  const frame = readWebpFrame(image, FIRST_CHUNK);
  if (frame !== undefined) return frame;
  if (image.toString('latin1', FIRST_CHUNK, FIRST_CHUNK + 4) !== 'VP8X') return undefined;
  const canvas = { width: image.readUIntLE(24, 3) + 1, height: image.readUIntLE(27, 3) + 1 };
  return hasFramesOf(image, canvas) ? canvas : undefined;
}

/** The size of a still frame; undefined when the chunk is another one. */
function readWebpFrame(image: Buffer, at: number): ImageHeader | undefined {
  switch (image.toString('latin1', at, at + 4)) {
    case 'VP8 ':
      return {
        width: image.readUInt16LE(at + 14) & 0x3fff,
        height: image.readUInt16LE(at + 16) & 0x3fff,
      };
    case 'VP8L': {
      const bits = image.readUInt32LE(at + 9);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}

/**
 * Whether the image is still and its frames are as large as the canvas: the decoder allocates a frame
 * by the frame's own size, before it compares the two.
 */
function hasFramesOf(image: Buffer, { width, height }: ImageHeader): boolean {
  let frames = 0;
  let at = FIRST_CHUNK;
  for (let count = 0; at + 8 <= image.length; count += 1) {
    if (count === MAX_CHUNKS || image.toString('latin1', at, at + 4) === 'ANMF') return false;
    const frame = readWebpFrame(image, at);
    if (frame !== undefined) {
      if (frame.width !== width || frame.height !== height) return false;
      frames += 1;
    }
    const sizeBytes = image.readUInt32LE(at + 4);
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return frames > 0;
}

/** ITU-T T.81 section B.2.2: the size is in the first start-of-frame segment. */
function readJpeg(image: Buffer): ImageHeader | undefined {
  if (!isJpeg(image)) return undefined;
  for (const { marker, content } of jpegSegments(image)) {
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: content.readUInt16BE(3), height: content.readUInt16BE(1) };
    }
  }
  return undefined;
}

/**
 * The segments of a JPEG up to its first scan. They end before a marker without a length,
 * after which the decoder would read on elsewhere.
 *
 * @throws RangeError when the image is cut off
 */
function* jpegSegments(image: Buffer): Generator<{ marker: number; content: Buffer }> {
  for (let at = 2; image.readUInt8(at) === 0xff;) {
    const marker = image.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // A fill byte.
      continue;
    }
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) return;
    const end = at + 2 + image.readUInt16BE(at + 2);
    yield { marker, content: image.subarray(at + 4, end) };
    at = end;
  }
}
