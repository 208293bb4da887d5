import type { UpdateProfileBody } from '@atrium/contracts/auth/profile';
import { HttpError, validationError } from '@atrium/service-kit/http-error';

/**
 * Checks the rules for a profile that its schema cannot express.
 *
 * @returns the changes to store
 * @throws HttpError 422 for a blank label, or a URL that is invalid or misleading
 */
export function checkProfile(changes: UpdateProfileBody): UpdateProfileBody {
  const name = changes.name?.trim();
  const { avatar, profileLinks } = changes;
  if (typeof avatar === 'string') {
    checkUrl(avatar, 'Avatar', ['https:']);
  }
  profileLinks?.forEach((link, index) => {
    if (link.label.trim() === '') {
      throw validationError(`Label of profile link ${index + 1} must not be blank`);
    }
    checkUrl(link.url, `URL of profile link ${index + 1}`, ['https:', 'http:']);
  });
  return name === undefined ? changes : { ...changes, name };
}

/** With a user name in it, `https://bank.example@evil.example` looks like the bank's address. */
function checkUrl(text: string, field: string, protocols: string[]): void {
  const url = URL.parse(text);
  if (url === null || !protocols.includes(url.protocol)) {
    throw new HttpError('url-not-allowed', `${field} must be a valid URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpError('url-not-allowed', `${field} must not contain a user name or password`);
  }
}
