import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Consonants: no words, and nothing to confuse (RFC 8628 section 6.1). 20^8 codes. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

export function newDeviceCode(): string {
  return randomBytes(32).toString('base64url');
}

/** 256 random bits cannot be guessed, so a plain hash is enough. */
export function hashDeviceCode(code: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(code).digest();
}

export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** As it is shown: WDJB-MJHT. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** As it is stored, from what a user typed. */
export function parseUserCode(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, '');
}
