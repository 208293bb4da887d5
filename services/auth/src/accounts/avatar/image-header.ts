export interface ImageHeader {
  width: number;
  height: number;
}

/**
 * The size that a PNG, JPEG or WebP image declares, read without decoding it, so that a small file
 * cannot make the decoder allocate gigabytes. Undefined for anything else.
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

/** PNG (ISO/IEC 15948) section 11.2.2: IHDR is the first chunk. */
function readPng(image: Buffer): ImageHeader | undefined {
  if (image.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
}

/** RFC 9649 sections 2.5 to 2.7. */
function readWebp(image: Buffer): ImageHeader | undefined {
  if (image.toString('latin1', 0, 4) !== 'RIFF' || image.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  switch (image.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = image.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: image.readUIntLE(24, 3) + 1, height: image.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** ITU-T T.81 section B.2.2: the size is in the first start-of-frame segment. */
function readJpeg(image: Buffer): ImageHeader | undefined {
  if (image.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; image.readUInt8(at) === 0xff;) {
    const marker = image.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // A fill byte.
    } else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: image.readUInt16BE(at + 7), height: image.readUInt16BE(at + 5) };
    } else {
      at += 2 + image.readUInt16BE(at + 2);
    }
  }
  return undefined;
}
