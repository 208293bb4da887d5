import { expect, test } from 'vitest';
import { isAffordable, readHash } from './formats.ts';
import { verifyImportedHash } from './verify.ts';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

const VECTORS: [string, string, string][] = [
  [
    'bcrypt, of the tests of crypt_blowfish',
    'U*U',
    '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  ],
  [
    'PBKDF2, of RFC 6070',
    'password',
    `$pbkdf2-sha1$i=4096$${btoa('salt')}$${base64('4b007901b765489abead49d926f721d065a429c1')}`,
  ],
  [
    'PBKDF2, as passlib writes it, of hashlib',
    'password',
    '$pbkdf2-sha256$6400$0ZrZzb/5tSFtLT4Fox06Cg$3o92Y.9ZPoLo3S7C8farCX9xYQcFl4xR1rer.YfF7iE',
  ],
  [
    'PBKDF2, as Django writes it, of hashlib',
    'lètmein',
    'pbkdf2_sha256$1200$seasalt$KmtzjE7Y1gkaoDA3398+Z8C6WAH1qIwq4YKMLnMvlx8=',
  ],
  [
    'scrypt, of RFC 7914',
    'password',
    `$scrypt$ln=10,r=8,p=16$${btoa('NaCl')}$${base64(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162' +
        '2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    )}`,
  ],
  [
    'scrypt, of the tests of Django',
    'lètmein',
    'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
  ],
  [
    'scrypt of Firebase, of its documentation',
    'user1password',
    `$firebase-scrypt$ln=14,r=8$${Buffer.concat([
      Buffer.from('42xEC+ixf3L2lw==', 'base64'),
      Buffer.from('Bw==', 'base64'),
    ]).toString('base64')}` +
      '$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==' +
      '$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  ],
];

test.each(VECTORS)('verifies %s', async (_name, password, stored) => {
  const hash = readHash(stored);
  expect(hash && isAffordable(hash)).toBe(true);
  expect(await verifyImportedHash(stored, password)).toBe(true);
  expect(await verifyImportedHash(stored, `${password}!`)).toBe(false);
});

test.each([
  '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  `$pbkdf2-sha256$i=2000001$c2FsdA==$${btoa('x'.repeat(32))}`,
  '$pbkdf2-sha256$i=1000$c2FsdA==$eA==',
  `$scrypt$ln=20,r=8,p=1$c2FsdA==$${btoa('x'.repeat(32))}`,
  `$scrypt$ln=14,r=8,p=100$c2FsdA==$${btoa('x'.repeat(32))}`,
  `scrypt$16385$salt$8$1$${btoa('x'.repeat(32))}`,
  `$firebase-scrypt$ln=24,r=8$c2FsdA==$c2FsdA==$${btoa('x'.repeat(32))}`,
  '$argon2id$v=19$m=1048576,t=1,p=1$c2FsdHNhbHQ$eHh4eHh4eHh4eHh4eHh4eA',
  '$argon2id$v=19$m=65536,t=100,p=1$c2FsdHNhbHQ$eHh4eHh4eHh4eHh4eHh4eA',
])('refuses what would cost too much, or is no key: %s', (stored) => {
  const hash = readHash(stored);
  expect(hash).toBeDefined();
  expect(hash && isAffordable(hash)).toBe(false);
});

test.each(['', 'password', '5f4dcc3b5aa765d61d8327deb882cf99', '{SSHA}abc', '$6$salt$hash'])(
  'knows no other form: %s',
  async (stored) => {
    expect(readHash(stored)).toBeUndefined();
    expect(await verifyImportedHash(stored, 'password')).toBe(false);
  },
);
