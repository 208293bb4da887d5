/** How many bytes are needed to tell what a file is. */
export const HEAD_BYTES = 4096;

/** What a file of a type begins with, at this offset. */
const SIGNATURES: readonly [type: string, signature: string, offset?: number][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/webp', 'WEBP', 8],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
  ['application/gzip', '\x1f\x8b\x08'],
  ['video/mp4', 'ftyp', 4],
  ['video/webm', '\x1a\x45\xdf\xa3'],
  ['audio/wav', 'WAVE', 8],
  ['audio/ogg', 'OggS'],
  ['audio/flac', 'fLaC'],
  ['audio/mpeg', 'ID3'],
];

/** The control characters that no text has: all but tab, line feed, form feed, carriage return and escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

function isText(head: Buffer): boolean {
  if (head.some(isControl)) return false;
  try {
    // The last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The media type of a file as its first bytes show it; what the uploader says does not count. Pages and
 * scripts are plain text, so no browser runs them.
 */
export function fileTypeOf(head: Buffer): string {
  const found = SIGNATURES.find(([, signature, offset = 0]) =>
    head.toString('latin1', offset, offset + signature.length).startsWith(signature),
  );
  if (found !== undefined) return found[0];
  return isText(head) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}
