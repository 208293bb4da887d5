import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verify } from '@node-rs/bcrypt';
import { readHash, type ScryptParameters } from './formats.ts';

const derivePbkdf2 = promisify(pbkdf2);

/**
 * Whether a password fits a hash that another system has made. The password is taken as it was typed, as those
 * systems do. Argon2 is not among them: the hasher of all services knows it.
 */
export async function verifyImportedHash(stored: string, password: string): Promise<boolean> {
  const hash = readHash(stored);
  switch (hash?.kind) {
    case 'bcrypt':
      return verify(password, stored);
    case 'pbkdf2': {
      const { salt, iterations, key, digest } = hash;
      return equal(await derivePbkdf2(password, salt, iterations, key.length, digest), key);
    }
    case 'scrypt': {
      const { salt, parameters, key } = hash;
      return equal(await deriveScrypt(password, salt, key.length, parameters), key);
    }
    case 'firebase': {
      const { salt, parameters, signerKey, key } = hash;
      // https://github.com/firebase/scrypt: what is stored is the signer key, encrypted under the derived one.
      const derived = await deriveScrypt(password, salt, 32, parameters);
      return equal(createCipheriv('aes-256-ctr', derived, Buffer.alloc(16)).update(signerKey), key);
    }
    default:
      return false;
  }
}

function deriveScrypt(
  password: string,
  salt: Buffer,
  length: number,
  parameters: ScryptParameters,
): Promise<Buffer> {
  const options = { ...parameters, maxmem: 256 * parameters.N * parameters.r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const equal = (one: Buffer, other: Buffer) =>
  one.length === other.length && timingSafeEqual(one, other);
