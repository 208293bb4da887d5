import { expect, test } from 'vitest';
import { emailToken, takeEmailToken } from '../browser/sign-in/email-token.ts';

function openUrl(pathname: string, search = ''): string {
  let shown = pathname;
  const history = {
    replaceState: (_state: unknown, _title: string, url: string) => (shown = url),
  };
  takeEmailToken({ pathname, search }, history);
  return shown;
}

test('leaves other URLs as they are', () => {
  expect(openUrl('/account/security')).toBe('/account/security');
  expect(emailToken('/account/security')).toBeNull();
});

test('takes the token out of the URL and keeps it in memory, for its page only', () => {
  expect(openUrl('/verify-email/abc_DEF-123')).toBe('/verify-email');
  expect(emailToken('/verify-email')).toBe('abc_DEF-123');
  expect(emailToken('/invitations')).toBeNull();
});

test('keeps the invitation to which a link leads on', () => {
  expect(openUrl('/verify-email/abc', '?invitation=xyz')).toBe('/verify-email');
  expect(emailToken('/verify-email')).toBe('abc');
  expect(emailToken('/invitations')).toBe('xyz');
});
