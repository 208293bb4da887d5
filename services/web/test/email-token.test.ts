import { expect, test } from 'vitest';
import { emailToken, takeEmailToken } from '../browser/sign-in/email-token.ts';

function openAddress(pathname: string, search = ''): string {
  let address = pathname;
  const history = {
    replaceState: (_state: unknown, _title: string, url: string) => (address = url),
  };
  takeEmailToken({ pathname, search }, history);
  return address;
}

test('leaves other addresses as they are', () => {
  expect(openAddress('/account/security')).toBe('/account/security');
  expect(emailToken('/account/security')).toBeNull();
});

test('takes the token out of the address and keeps it in memory, for its page only', () => {
  expect(openAddress('/verify-email/abc_DEF-123')).toBe('/verify-email');
  expect(emailToken('/verify-email')).toBe('abc_DEF-123');
  expect(emailToken('/invitations')).toBeNull();
});

test('keeps the invitation to which a link leads on', () => {
  expect(openAddress('/verify-email/abc', '?invitation=xyz')).toBe('/verify-email');
  expect(emailToken('/verify-email')).toBe('abc');
  expect(emailToken('/invitations')).toBe('xyz');
});
