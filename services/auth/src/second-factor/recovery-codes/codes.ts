import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/** 80 bits cannot be guessed, so a plain hash is enough at rest. */
const CODE_BYTES = 10;
/** Crockford's base32, without the easily misread i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUP = /.{4}(?=.)/g;

/** Ten codes such as `7x3k-9fq2-m0ad-vc5t`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => newCode().replaceAll(GROUP, '$&-'));
}

function newCode(): string {
  let number = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let code = '';
  for (let bits = 0; bits < CODE_BYTES * 8; bits += 5) {
    code += ALPHABET.charAt(Number(number & 31n));
    number >>= 5n;
  }
  return code;
}

/** The stored form. Case, hyphens, spaces and letters that look like digits make no difference. */
export function hashRecoveryCode(code: string): Buffer<ArrayBuffer> {
  const plain = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return createHash('sha256').update(plain).digest();
}
