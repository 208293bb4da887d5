import { expect, test } from 'vitest';
import { parseKeyRing } from './key-ring.ts';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

test('decrypts and verifies with an older key after a rotation', () => {
  const before = parseKeyRing([key('a', 1)]);
  const after = parseKeyRing([key('b', 2), key('a', 1)]);
  expect(after.decrypt(before.encrypt('text', 'row 1'), 'row 1')).toBe('text');
  expect(after.isCurrent(after.encrypt('text', 'row 1'))).toBe(true);
  expect(after.isCurrent(before.encrypt('text', 'row 1'))).toBe(false);
  const [mac] = before.macs('device-cookie', 'id');
  expect(after.verifyMac('device-cookie', 'id', mac)).toBe(true);
  expect(before.verifyMac('device-cookie', 'id', after.macs('device-cookie', 'id')[0])).toBe(false);
});

test('does not decrypt a text that was changed, or for another context or use', () => {
  const ring = parseKeyRing([key('a', 1)]);
  const sealed = ring.encrypt('text', 'row 1');
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BA' : 'AA'}`;
  expect(() => ring.decrypt(sealed, 'row 2')).toThrow('unable to authenticate');
  expect(() => ring.decrypt(changed, 'row 1')).toThrow('unable to authenticate');
  expect(() => parseKeyRing([key('b', 1)]).decrypt(sealed, 'row 1')).toThrow('no key "a"');
  const [mac] = ring.macs('refresh-successor', 'id');
  expect(ring.verifyMac('device-cookie', 'id', mac)).toBe(false);
});

test.each([
  [[], 'at least one key'],
  [['c2VjcmV0'], 'written as id:base64'],
  [['a:c2VjcmV0'], 'must be 32 bytes'],
  [[key('a', 1), key('a', 2)], 'two keys with the same id'],
])('%j is refused', (entries: string[], message) => {
  expect(() => parseKeyRing(entries)).toThrow(message);
});
