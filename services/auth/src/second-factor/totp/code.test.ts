import { expect, test } from 'vitest';
import { codeAt, newTotpSecret, stepAt, stepsOf, toBase32, totpUri } from './code.ts';

/** The secret of RFC 6238 appendix B, whose codes have eight digits: ours are the last six. */
const SECRET = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of second %i is %s', (second, code) => {
  expect(codeAt(SECRET, stepAt(second * 1000))).toBe(code);
});

test('a code matches its own step and the adjacent ones only', () => {
  const nowMs = 1_111_111_111_000;
  const code = codeAt(SECRET, stepAt(nowMs));
  const fits = [-60, -30, 0, 30, 60].map(
    (seconds) => stepsOf(SECRET, code, nowMs + seconds * 1000).length,
  );
  expect(fits).toEqual([0, 1, 1, 1, 0]);
  expect(stepsOf(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, nowMs)).toEqual([stepAt(nowMs)]);
  expect(stepsOf(SECRET, `0${code}`, nowMs)).toEqual([]);
  expect(stepsOf(SECRET, '', nowMs)).toEqual([]);
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base32 (RFC 4648 section 10)', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
});

test('the address for the QR code names issuer, account and secret', () => {
  const uri = new URL(totpUri('Atrium', 'ada+1@example.com', SECRET));
  expect(uri.href.startsWith('otpauth://totp/Atrium:ada%2B1%40example.com?')).toBe(true);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Atrium',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('secrets have 160 bits and differ', () => {
  expect(newTotpSecret()).toHaveLength(20);
  expect(newTotpSecret()).not.toEqual(newTotpSecret());
});
