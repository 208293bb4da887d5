/** Chunks of a PNG that hold pixels and how they look, and nothing else. */
const PNG_CHUNKS = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'pHYs'];
const PNG_HEADER_BYTES = 8;
const WEBP_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH'];
/** ICC profile, EXIF, XMP, animation: bits of the first byte of VP8X. */
const WEBP_METADATA = 0b0010_1110;
const RIFF_HEADER_BYTES = 12;

/** Markers of a JPEG: JFIF, Adobe's color transform, tables, frames; none of EXIF, profiles or comments. */
const JPEG_MARKERS = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, 0xe0, 0xee]);
const JFIF_BYTES = 16;
const ADOBE_BYTES = 14;

/**
 * Whether an image has nothing but its pixels: no metadata, and nothing between or after its parts. Such an
 * image need not be encoded again, which would cost a JPEG quality each time.
 */
export function isCleanImage(image: Buffer, type: string): boolean {
  try {
    if (type === 'image/png') return isCleanPng(image);
    return type === 'image/jpeg' ? isCleanJpeg(image) : isCleanWebp(image);
  } catch (error) {
    // It ends within a part.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isCleanPng(image: Buffer): boolean {
  let at = PNG_HEADER_BYTES;
  for (;;) {
    const type = image.toString('latin1', at + 4, at + 8);
    if (!PNG_CHUNKS.includes(type)) return false;
    at += 12 + image.readUInt32BE(at);
    if (type === 'IEND') return at === image.length;
  }
}

function isCleanWebp(image: Buffer): boolean {
  if (image.readUInt32LE(4) + 8 !== image.length) return false;
  let at = RIFF_HEADER_BYTES;
  while (at < image.length) {
    const type = image.toString('latin1', at, at + 4);
    if (!WEBP_CHUNKS.includes(type)) return false;
    if (type === 'VP8X' && (image.readUInt8(at + 8) & WEBP_METADATA) !== 0) return false;
    const sizeBytes = image.readUInt32LE(at + 4);
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return at === image.length;
}

function isCleanJpeg(image: Buffer): boolean {
  let at = 2;
  for (;;) {
    if (image.readUInt8(at) !== 0xff) return false;
    const marker = image.readUInt8(at + 1);
    if (marker === 0xd9) return at + 2 === image.length;
    if (!JPEG_MARKERS.has(marker)) return false;
    const sizeBytes = image.readUInt16BE(at + 2);
    if (marker === 0xe0 && !isPlainJfif(image, at, sizeBytes)) return false;
    if (marker === 0xee && sizeBytes !== ADOBE_BYTES) return false;
    at += 2 + sizeBytes;
    if (marker === 0xda) at = endOfScan(image, at);
  }
}

/** Without a thumbnail, which may show what was cut off. */
function isPlainJfif(image: Buffer, at: number, sizeBytes: number): boolean {
  return sizeBytes === JFIF_BYTES && image.toString('latin1', at + 4, at + 8) === 'JFIF';
}

/** Where the next marker is: in a scan, 0xff is followed by zero or the number of a restart. */
function endOfScan(image: Buffer, start: number): number {
  let at = start;
  for (;;) {
    at = image.indexOf(0xff, at);
    if (at === -1) return image.length;
    const next = image.readUInt8(at + 1);
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
    at += 2;
  }
}
