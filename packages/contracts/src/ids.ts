import Type from 'typebox';

/** The kind of thing that an id names. Credentials (`whsec_…`) never share one of these prefixes. */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'ws'
  | 'note'
  | 'inv'
  | 'ver'
  | 'act'
  | 'lnk'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'att'
  | 'aud'
  | 'psk'
  | 'pat'
  | 'app'
  | 'sct'
  | 'cns'
  | 'gnt'
  | 'idt'
  | 'msg'
  | 'exp'
  | 'rcv'
  | 'fil'
  | 'imp'
  | 'job';

/** Crockford's base32 in lower case: without i, l, o and u, and sorting like the bytes. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_POOL_BYTES = 4096;
/** The latest time that 48 bits can hold, in the year 10889. */
const TIMESTAMP_MAX_MS = 2 ** 48 - 1;

const pool = new Uint8Array(RANDOM_POOL_BYTES);
let poolOffset = RANDOM_POOL_BYTES;
/** Reused for every id: allocating it would cost as much as all the rest. */
const bytes = new Uint8Array(16);
const view = new DataView(bytes.buffer);

/** From a pool: one call of the system's generator per id would cost more than the id. */
function fillRandomly(from: number): void {
  if (poolOffset + bytes.length - from > RANDOM_POOL_BYTES) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  for (let at = from; at < bytes.length; at += 1, poolOffset += 1) {
    bytes[at] = pool[poolOffset] ?? 0;
  }
}

function setTime(nowMs: number): void {
  view.setUint32(0, Math.floor(nowMs / 0x1_0000));
  view.setUint16(4, nowMs % 0x1_0000);
}

/** The time of the latest id, and how many it has had in that millisecond, from a random start. */
let latestMs = -1;
let counter = 0;
const COUNTER_MAX = 0xfff;

/**
 * Makes `bytes` a UUIDv7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, 12 that count within one
 * (section 6.2, method 1), then 62 random ones.
 */
function makeUuidV7(nowMs: number): void {
  setTime(nowMs);
  fillRandomly(6);
  // Half of the count is left for those that follow.
  counter =
    nowMs === latestMs ? (counter + 1) & COUNTER_MAX : view.getUint16(6) & (COUNTER_MAX >> 1);
  latestMs = nowMs;
  view.setUint16(6, counter);
  setVersion();
}

/** Makes `bytes` what sorts before all UUIDs of this time. */
function clearTo(nowMs: number): void {
  bytes.fill(0);
  setTime(Math.min(Math.max(Math.floor(nowMs), 0), TIMESTAMP_MAX_MS));
}

function setVersion(): void {
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
}

/** Ten bits as two characters. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, n) => ALPHABET.charAt(n >>> 5) + ALPHABET.charAt(n & 31),
);

/** `bytes` as 26 base32 characters, most significant first (the first carries 3 bits). */
function base32(): string {
  let text = '';
  let buffer = 0;
  let bits = 2;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    text += PAIRS[buffer >>> bits] ?? '';
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/**
 * A new identifier: the prefix, `_`, and a UUIDv7 as 26 base32 characters. Ids of one kind sort by
 * creation time, which keeps rows that were created together on neighbouring index pages; those of one
 * process and one millisecond in the order in which they were made, up to 2,048 of them.
 *
 * @param nowMs Unix time in milliseconds.
 */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  makeUuidV7(nowMs);
  return `${prefix}_${base32()}`;
}

/**
 * An id like those of `newId`, but the same every time: the first 16 bytes of a hash take the place of
 * the random ones.
 *
 * @param nowMs Unix time in milliseconds, by which it sorts.
 */
export function derivedId(prefix: IdPrefix, nowMs: number, hash: Uint8Array): string {
  bytes.set(hash.subarray(0, bytes.length));
  setTime(nowMs);
  setVersion();
  return `${prefix}_${base32()}`;
}

/**
 * The lower bound of ids created at this time or later: it sorts before every id of that millisecond
 * and is not an id itself. A range of time thereby becomes a range of ids.
 *
 * @param nowMs Unix time in milliseconds, clamped to what a UUIDv7 can hold.
 */
export function idBound(prefix: IdPrefix, nowMs: number): string {
  clearTo(nowMs);
  return `${prefix}_${base32()}`;
}

/** `bytes` as a UUID is written. */
function uuidText(): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A new UUIDv7, for what needs no prefix. @param nowMs Unix time in milliseconds. */
export function newUuid(nowMs: number): string {
  makeUuidV7(nowMs);
  return uuidText();
}

/** As `idBound`, for ids of `newUuid`. */
export function uuidBound(nowMs: number): string {
  clearTo(nowMs);
  return uuidText();
}

/** When an id was made, in Unix milliseconds: the first 48 bits of its UUIDv7. */
export function idTimeMs(id: string): number {
  const digits = id.slice(id.indexOf('_') + 1).slice(0, 10);
  return Array.from(digits).reduce((ms, digit) => ms * 32 + ALPHABET.indexOf(digit), 0);
}

/** Ids with this prefix within a text, as a regular expression of JavaScript and of Postgres. */
export function idPattern(prefix: IdPrefix): string {
  return `${prefix}_[0-9a-hjkmnp-tv-z]{26}`;
}

/** The schema of an id with this prefix. */
export function IdSchema(prefix: IdPrefix) {
  return Type.String({
    pattern: `^${idPattern(prefix)}$`,
    description: `Identifier with the prefix ${prefix}_`,
  });
}

/** Any short text: an id that cannot exist is a thing that does not exist (404), not a bad request. */
export const AnyId = Type.String({ minLength: 1, maxLength: 100 });
export const IdParams = Type.Object({ id: AnyId });
