import { readFileSync } from 'node:fs';
import { validationError } from '@atrium/service-kit/http-error';

/** Shorter names occur in too many good passwords. */
const CONTEXT_WORD_MIN_LENGTH = 3;

/** Refuses a new password; `field` is its name in the request, as a person reads it. */
export type CheckNewPassword = (candidate: NewPassword) => void;

export interface NewPassword {
  password: string;
  field: 'Password' | 'New password';
  username: string;
  email: string;
}

/** Loads the list of common passwords that is shipped with the service. */
export function loadPasswordRules(): CheckNewPassword {
  const file = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8');
  const common = new Set(file.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
  return ({ password, field, username, email }) => {
    const text = fold(password);
    if (common.has(text)) {
      throw validationError(`${field} is one of the most common passwords`);
    }
    const emailName = email.slice(0, email.lastIndexOf('@'));
    for (const word of [username, emailName].map(fold)) {
      if (word.length >= CONTEXT_WORD_MIN_LENGTH && text.includes(word)) {
        throw validationError(`${field} must not contain the username or the email name`);
      }
    }
  };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
