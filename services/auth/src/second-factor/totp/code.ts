import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** The length of the hash, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The number of the 30 s step at a time. */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** The code of one step: HOTP (RFC 4226 section 5.3) over the step's number (RFC 6238). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The steps that a code matches, earliest first: the current one and its neighbours, which allows for
 * clock drift and slow typing (RFC 6238 section 5.2). The store knows which steps have been used.
 */
export function stepsOf(secret: Buffer, code: string, nowMs: number): number[] {
  const given = Buffer.from(code.replaceAll(/\s/g, ''));
  const step = stepAt(nowMs);
  return [step - 1, step, step + 1].filter((candidate) => {
    const expected = Buffer.from(codeAt(secret, candidate));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** RFC 4648 section 6 without padding, as authenticator apps expect it. */
export function toBase32(bytes: Buffer): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((buffer >>> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE32.charAt((buffer << (5 - bits)) & 31);
}

/** https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(issuer: string, accountName: string, secret: Buffer): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(accountName)}`;
  const parameters = [
    `secret=${toBase32(secret)}`,
    `issuer=${encodeURIComponent(issuer)}`,
    'algorithm=SHA1',
    `digits=${DIGITS}`,
    `period=${STEP_MS / 1000}`,
  ];
  return `otpauth://totp/${label}?${parameters.join('&')}`;
}
