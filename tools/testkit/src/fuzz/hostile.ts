import fc from 'fast-check';

const LONG = 'x'.repeat(300);
const VERY_LONG = 'x'.repeat(100_000);

/** Text that is known to break programs. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\udc00\ud800',
  '💩',
  'e\u0301'.repeat(40),
  // The length changes with letter case or normalization.
  'İ'.repeat(30),
  '\ufdfa'.repeat(100),
  'ß',
  '\u202eevil',
  '\ufeff',
  '\u2028',
  '\r\nSet-Cookie: refreshToken=x',
  "'; DROP TABLE accounts; --",
  '%s%n',
  '${jndi:ldap://x}',
  '../../etc/passwd',
  '%00',
  '%',
  '\\',
  '"',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '[object Object]',
  '0000-00-00',
  '0001-01-01',
  '2023-02-29',
  '9999-12-31',
  '10000-01-01',
  '-000001-01-01',
  '1e309',
  'a@b',
  'a@[127.0.0.1]',
  `${'l'.repeat(64)}@${'d'.repeat(60)}.${'d'.repeat(60)}.example`,
  'İ@example.com',
  'https://',
  'https://[::1',
  'https://user:pass@example.com:99999/',
  'https://xn--/',
  'javascript:alert(1)',
  `usr_${'0'.repeat(26)}`,
  `usr_${'z'.repeat(26)}`,
  `ses_${'z'.repeat(26)}`,
  'AAAA',
  '_'.repeat(43),
  LONG,
  VERY_LONG,
  '\u00e9'.repeat(20_000),
];

const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  Number.MAX_SAFE_INTEGER + 1,
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 60 }) },
);

function nested(depth: number, open: string, close: string, core = ''): string {
  return open.repeat(depth) + core + close.repeat(depth);
}

/** A JSON value that fits no schema. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null]) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant({ $ne: '', toString: 1, valueOf: null, length: -1 }) },
  { weight: 1, arbitrary: fc.constant(JSON.parse(nested(500, '[', ']'))) },
);

/** Field names with a meaning in JavaScript. */
export const strayKey = fc.constantFrom(
  'id',
  'plan',
  'emailVerified',
  'passwordHash',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'then',
  'toJSON',
  '',
  '\0',
  '\ud800',
  LONG,
);

/** Bodies that are not, or barely, JSON. */
export const rawBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '{',
      '[',
      '{"a":1',
      '{"a":1}{"b":2}',
      '{"email":"a","email":["b"]}',
      "{'a':1}",
      'null',
      'true',
      '123',
      '1e400',
      'NaN',
      '"text"',
      '[]',
      '{}',
      '\ufeff{}',
      '{"__proto__":{"plan":"pro"}}',
      '{"constructor":{"prototype":{"plan":"pro"}}}',
      '{"\\ud800":"\\udfff"}',
      nested(50_000, '[', ']'),
      nested(20_000, '{"a":', '}', '1'),
    ),
  },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 100 }) },
  { weight: 1, arbitrary: fc.constant(Buffer.from('{"email":"\xff\xfe"}', 'latin1')) },
);

/** Larger than any service accepts. */
export const HUGE_BODY = JSON.stringify({ password: 'x'.repeat(1_100_000) });
