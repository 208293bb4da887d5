import { readFileSync } from 'node:fs';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import { HttpError } from '@atrium/service-kit/http-error';
import { foldPassword, openCommonPasswords } from './common-passwords.ts';
import { containsWord } from './context-words.ts';

/** Characters after normalisation: a combining accent does not make a password longer. */
const LENGTH_MIN = 8;
const PRODUCT = 'atrium';

/** @throws HttpError 422 that names `field` */
export type CheckNewPassword = (candidate: NewPassword) => void;

/** Rules and hashes of new passwords. */
export interface Passwords extends PasswordHasher {
  check: CheckNewPassword;
}

export interface NewPassword {
  password: string;
  field: 'Password' | 'New password';
  username: string;
  email: string;
}

/** Why a new password is refused. */
export const PASSWORD_CODES = [
  'password-too-short',
  'password-too-common',
  'password-with-name',
] as const;

/**
 * The rules for new passwords, with the list of common ones that ships with the service. There are no
 * rules about kinds of characters, which make passwords worse (NIST SP 800-63B section 3.1.1.2).
 */
export function loadPasswordRules(): CheckNewPassword {
  const common = openCommonPasswords(
    readFileSync(new URL('common-passwords.bin', import.meta.url)),
  );
  return ({ password, field, username, email }) => {
    const folded = foldPassword(password);
    if (Array.from(folded).length < LENGTH_MIN) {
      throw new HttpError(
        'password-too-short',
        `${field} must be at least ${LENGTH_MIN} characters long`,
      );
    }
    if (common.has(folded) || common.has(folded.replaceAll(/\s/gu, ''))) {
      throw new HttpError('password-too-common', `${field} is one of the most common passwords`);
    }
    const emailName = email.slice(0, email.lastIndexOf('@'));
    if ([username, emailName].some((word) => containsWord(folded, foldPassword(word)))) {
      throw new HttpError(
        'password-with-name',
        `${field} must not contain the username or the email name`,
      );
    }
    if (containsWord(folded, PRODUCT)) {
      throw new HttpError(
        'password-with-name',
        `${field} must not contain the name of this product`,
      );
    }
  };
}
