import net from 'node:net';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { foldPassword, openCommonPasswords, packCommonPasswords } from './common-passwords.ts';
import { loadPasswordRules } from './password-rules.ts';

const check = loadPasswordRules();
const candidate = (password: string) => ({
  password,
  field: 'Password' as const,
  username: 'Ada_Lovelace',
  email: 'countess.ada@example.com',
});
const packed = () => readFileSync(new URL('common-passwords.bin', import.meta.url));

test.each([
  'password',
  'P@ssw0rd',
  'ILoveYou',
  'qwertyuiop',
  'letmein123',
  'pass word 123',
  'ｐａｓｓｗｏｒｄ１２３',
])('security 3: the common password %j is refused without the network', (password) => {
  const connect = vi.spyOn(net.Socket.prototype, 'connect');
  expect(() => check(candidate(password))).toThrow('Password is one of the most common passwords');
  expect(connect).not.toHaveBeenCalled();
  connect.mockRestore();
});

test.each([
  ['xxADA_LOVELACExx', 'username'],
  ['ada lovelace 1815', 'username'],
  ['4d4l0v3l4c3 forever', 'username'],
  ['ecalevol_ada 1815', 'username'],
  ['Countess.Ada first', 'email name'],
  ['countessada first', 'email name'],
  ['Atrium2026!', 'name of this product'],
  ['my-4tr1um-key', 'name of this product'],
  ['muirta & muirta', 'name of this product'],
])('security 3: %j is refused, for it holds the %s', (password, what) => {
  expect(() => check(candidate(password))).toThrow(what);
});

test.each([
  'a lantern in the fog',
  'nur kleine buchstaben',
  'ünïcödé ☃ ünïcödé',
  '月が綺麗ですね今夜',
])('security 2: %j is good enough', (password) => {
  expect(() => check(candidate(password))).not.toThrow();
});

test('does not count combining accents as characters', () => {
  expect(() => check(candidate('e\u0301'.repeat(7)))).toThrow('at least 8 characters');
});

test('ignores names of two letters', () => {
  const named = { ...candidate('a lantern in the fog'), username: 'a-n', email: 'in@example.com' };
  expect(() => check(named)).not.toThrow();
});

test('the list is long and compact, with few false positives', () => {
  const file = packed();
  const common = openCommonPasswords(file);
  expect(common.size).toBeGreaterThan(100_000);
  expect(file.length).toBeLessThan(1_000_000);
  const wrong = Array.from({ length: 50_000 }, (_, n) => foldPassword(`A good phrase ${n}`)).filter(
    (phrase) => common.has(phrase),
  );
  expect(wrong.length).toBeLessThan(3);
});

test('finds every packed password', () => {
  const passwords = new Set(Array.from({ length: 2000 }, (_, n) => `common password ${n}`));
  const common = openCommonPasswords(packCommonPasswords(passwords));
  expect(common.size).toBe(passwords.size);
  expect([...passwords].every((password) => common.has(password))).toBe(true);
});

test('throws for a damaged list', () => {
  const file = packed();
  for (const broken of [Buffer.alloc(0), file.subarray(0, -1), Buffer.alloc(1000)]) {
    expect(() => openCommonPasswords(broken)).toThrow('damaged');
  }
});
