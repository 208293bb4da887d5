import Type from 'typebox';

/** What an id names. Credentials (`whsec_…`) never share a prefix with these handles. */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'ws'
  | 'note'
  | 'ver'
  | 'lnk'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'att';

/** Crockford's base32 in lower case: no i, l, o or u, and it sorts as the bytes do. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_POOL_BYTES = 4096;

const pool = new Uint8Array(RANDOM_POOL_BYTES);
let poolOffset = RANDOM_POOL_BYTES;

/** Random bytes are drawn from the system in pools: one call per id costs more than the id. */
function randomBytes(target: Uint8Array, from: number): void {
  const length = target.length - from;
  if (poolOffset + length > RANDOM_POOL_BYTES) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  target.set(pool.subarray(poolOffset, poolOffset + length), from);
  poolOffset += length;
}

/** A UUIDv7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then 74 random bits. */
function uuidV7(nowMs: number): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(nowMs / 0x1_0000));
  view.setUint16(4, nowMs % 0x1_0000);
  randomBytes(bytes, 6);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  return bytes;
}

/** 128 bits as 26 base32 characters, most significant first (the first carries 3 bits). */
function base32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 2;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((buffer >>> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/**
 * A new identifier: the prefix, `_`, and a UUIDv7 as 26 base32 characters. Ids of one kind sort by
 * the time of their making, which keeps neighbouring rows on neighbouring index pages.
 *
 * @param nowMs Unix time in milliseconds.
 */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  return `${prefix}_${base32(uuidV7(nowMs))}`;
}

/** The schema of an id with this prefix. */
export function IdSchema(prefix: IdPrefix) {
  return Type.String({
    pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`,
    description: `Identifier with the prefix ${prefix}_`,
  });
}

/**
 * A path parameter that names a thing. It is deliberately any short text: an id that cannot exist is
 * a thing that is not there (404), not a malformed request.
 */
export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
