/** A password hash that another system has made. */
export type ImportedHash =
  | { kind: 'argon2'; memoryKib: number; passes: number; lanes: number }
  | { kind: 'bcrypt'; cost: number }
  | { kind: 'pbkdf2'; digest: string; iterations: number; salt: Buffer; key: Buffer }
  | { kind: 'scrypt'; parameters: ScryptParameters; salt: Buffer; key: Buffer }
  | {
      kind: 'firebase';
      parameters: ScryptParameters;
      salt: Buffer;
      signerKey: Buffer;
      key: Buffer;
    };

/** RFC 7914: cost, block size and parallelization. */
export interface ScryptParameters {
  N: number;
  r: number;
  p: number;
}

const BASE64 = String.raw`([A-Za-z0-9+/.]+={0,2})`;
const ARGON2 = /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[\w+/]+\$[\w+/]+$/;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const PBKDF2 = new RegExp(
  String.raw`^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d{1,8})(?:,l=\d+)?\$${BASE64}\$${BASE64}$`,
);
const SCRYPT = new RegExp(
  String.raw`^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$${BASE64}\$${BASE64}$`,
);
const DJANGO_PBKDF2 = new RegExp(
  String.raw`^pbkdf2_(sha1|sha256|sha512)\$(\d{1,8})\$([^$]+)\$${BASE64}$`,
);
const DJANGO_SCRYPT = new RegExp(
  String.raw`^scrypt\$(\d{1,8})\$([^$]+)\$(\d{1,3})\$(\d{1,3})\$${BASE64}$`,
);
const FIREBASE = new RegExp(
  String.raw`^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,3})\$${BASE64}\$${BASE64}\$${BASE64}$`,
);

/** passlib writes "." for "+". */
const bytes = (text = '') => Buffer.from(text.replaceAll('.', '+'), 'base64');

/**
 * Reads a hash in the form in which it is stored: the PHC string format, the modular crypt format of bcrypt, those of
 * Django, and ours for Firebase. @returns undefined for any other
 */
export function readHash(stored: string): ImportedHash | undefined {
  let match = ARGON2.exec(stored);
  if (match !== null) {
    const [memoryKib = 0, passes = 0, lanes = 0] = match.slice(1).map(Number);
    return { kind: 'argon2', memoryKib, passes, lanes };
  }
  match = BCRYPT.exec(stored);
  if (match !== null) return { kind: 'bcrypt', cost: Number(match[1]) };
  match = PBKDF2.exec(stored);
  if (match !== null) {
    const [, digest = '', iterations, salt, key] = match;
    return pbkdf2(digest, iterations, bytes(salt), bytes(key));
  }
  match = DJANGO_PBKDF2.exec(stored);
  if (match !== null) {
    const [, digest = '', iterations, salt = '', key] = match;
    return pbkdf2(digest, iterations, Buffer.from(salt), bytes(key));
  }
  match = SCRYPT.exec(stored);
  if (match !== null) {
    const [, ln, r, p, salt, key] = match;
    const parameters = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
    return { kind: 'scrypt', parameters, salt: bytes(salt), key: bytes(key) };
  }
  match = DJANGO_SCRYPT.exec(stored);
  if (match !== null) {
    const [, N, salt = '', r, p, key] = match;
    const parameters = { N: Number(N), r: Number(r), p: Number(p) };
    return { kind: 'scrypt', parameters, salt: Buffer.from(salt), key: bytes(key) };
  }
  match = FIREBASE.exec(stored);
  if (match !== null) {
    const [, ln, r, salt, signerKey, key] = match;
    const parameters = { N: 2 ** Number(ln), r: Number(r), p: 1 };
    return {
      kind: 'firebase',
      parameters,
      salt: bytes(salt),
      signerKey: bytes(signerKey),
      key: bytes(key),
    };
  }
  return undefined;
}

const pbkdf2 = (digest: string, iterations: string | undefined, salt: Buffer, key: Buffer) =>
  ({ kind: 'pbkdf2', digest, iterations: Number(iterations), salt, key }) as const;

const MEMORY_MAX_BYTES = 128 * 1024 * 1024;
const KEY_BYTES = { min: 16, max: 128 };

/**
 * Whether logins may verify this hash: none takes more than about two seconds of one core, or 128 MiB, so that nobody
 * can end the service by logging in.
 */
export function isAffordable(hash: ImportedHash): boolean {
  switch (hash.kind) {
    case 'argon2':
      return (
        hash.memoryKib * 1024 <= MEMORY_MAX_BYTES &&
        hash.memoryKib * hash.passes <= 1024 * 1024 &&
        hash.passes > 0 &&
        hash.lanes > 0 &&
        hash.lanes <= 16
      );
    case 'bcrypt':
      return hash.cost >= 4 && hash.cost <= 14;
    case 'pbkdf2':
      return hash.iterations > 0 && hash.iterations <= 2_000_000 && isKey(hash.key);
    case 'scrypt':
    case 'firebase':
      return isAffordableScrypt(hash.parameters) && isKey(hash.key);
  }
}

function isAffordableScrypt({ N, r, p }: ScryptParameters): boolean {
  const isPowerOfTwo = N > 1 && Number.isInteger(Math.log2(N));
  const memory = 128 * N * r;
  return isPowerOfTwo && r > 0 && p > 0 && memory <= MEMORY_MAX_BYTES && memory * p <= 2 ** 28;
}

const isKey = ({ length }: Buffer) => length >= KEY_BYTES.min && length <= KEY_BYTES.max;
