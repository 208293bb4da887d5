import { expect, test } from 'vitest';
import { emailToken, takeEmailToken } from '../browser/getting-in/email-token.ts';

function openAddress(pathname: string): string {
  let address = pathname;
  const history = {
    replaceState: (_state: unknown, _title: string, url: string) => (address = url),
  };
  takeEmailToken({ pathname }, history);
  return address;
}

test('leaves other addresses as they are', () => {
  expect(openAddress('/account/security')).toBe('/account/security');
  expect(emailToken()).toBeNull();
});

test('takes the token out of the address and keeps it in memory', () => {
  expect(openAddress('/verify-email/abc_DEF-123')).toBe('/verify-email');
  expect(emailToken()).toBe('abc_DEF-123');
});
