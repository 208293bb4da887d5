import { isJpeg, isPng, jpegSegments } from './header.ts';

const PNG_SIGNATURE_BYTES = 8;
const APP1 = 0xe1;
const EXIF = 'Exif\0\0';
const ORIENTATION_TAG = 0x0112;
const UPRIGHT = 1;

/**
 * What the decoder gets of an image: without the colour profile of a PNG, which it would inflate to any size and
 * then not use, and with no EXIF of a JPEG but the orientation, since it would read each value as often as the
 * directory refers to it.
 */
export function toDecodable(image: Buffer): Buffer {
  if (isPng(image)) return withoutProfile(image);
  return isJpeg(image) ? withOrientationFirst(image) : image;
}

function withoutProfile(image: Buffer): Buffer {
  const kept = Buffer.alloc(image.length);
  let length = image.copy(kept, 0, 0, PNG_SIGNATURE_BYTES);
  for (let at = PNG_SIGNATURE_BYTES; at + 8 <= image.length;) {
    const end = at + 12 + image.readUInt32BE(at);
    const isProfile = image.toString('latin1', at + 4, at + 8) === 'iCCP';
    if (!isProfile) length += image.copy(kept, length, at, end);
    at = end;
  }
  return kept.subarray(0, length);
}

/** The decoder reads the first EXIF of a JPEG and no other. */
function withOrientationFirst(image: Buffer): Buffer {
  const segment = Buffer.from(
    `\xff\xe1\0\x22${EXIF}MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0`,
    'latin1',
  );
  segment.writeUInt16BE(readOrientation(image), 28);
  return Buffer.concat([image.subarray(0, 2), segment, image.subarray(2)]);
}

function readOrientation(image: Buffer): number {
  try {
    for (const { marker, content } of jpegSegments(image)) {
      if (marker === APP1 && content.toString('latin1', 0, EXIF.length) === EXIF) {
        return orientationIn(content.subarray(EXIF.length));
      }
    }
  } catch (error) {
    // It is cut off.
    if (!(error instanceof RangeError)) throw error;
  }
  return UPRIGHT;
}

/** Exif 2.32 section 4.6.2: a TIFF file, whose first directory has it. */
function orientationIn(tiff: Buffer): number {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const read32 = (at: number) => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = read32(4);
  const count = read16(directory);
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + 12 * index;
    if (read16(at) !== ORIENTATION_TAG) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}
