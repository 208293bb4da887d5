import { expect, test } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes } from './codes.ts';

test('makes ten different codes of 80 bits in groups', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  }
});

test('ignores case, hyphens, spaces and letters that look like digits', () => {
  const hash = hashRecoveryCode('0a1b-2c3d-4e5f-6g7h');
  expect(hashRecoveryCode(' OAIB 2C3D 4E5F 6G7H ')).toEqual(hash);
  expect(hashRecoveryCode('oalb2c3d4e5f6g7h')).toEqual(hash);
  expect(hashRecoveryCode('0a1b-2c3d-4e5f-6g7j')).not.toEqual(hash);
});
