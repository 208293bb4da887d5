import { expect, test } from 'vitest';
import { checkedReturnTo } from '../browser/sign-in/return-to.ts';

const OWN = 'https://atrium.example';
const SHOP = 'https://shop.example';

function pathAfterLogin(asked: unknown): string {
  return checkedReturnTo(asked, [OWN, SHOP]).href;
}

test.each([
  ['/account?tab=1#top', `${OWN}/account?tab=1#top`],
  [`${SHOP}/cart`, `${SHOP}/cart`],
  [undefined, `${OWN}/`],
])('goes back to %s', (asked, expected) => {
  expect(pathAfterLogin(asked)).toBe(expected);
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\t//evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://atrium.example@evil.example/',
  'https://shop.example.evil.example/',
  'http://[',
])('goes to the first page instead of %j', (asked) => {
  expect(new URL(pathAfterLogin(asked)).origin).toBe(OWN);
});
