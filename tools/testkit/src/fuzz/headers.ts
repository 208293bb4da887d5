import fc from 'fast-check';

export type Headers = Record<string, string | string[]>;

/** Bytes that HTTP allows in a header's value (RFC 9110 section 5.5). */
const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 60,
  })
  .map((codes) => String.fromCharCode(...codes).trim());

function oneOf(...values: (string | string[])[]): fc.Arbitrary<string | string[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: headerText },
  );
}

export const contentType: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { 'content-type': 'application/json; charset=utf-8' },
      { 'content-type': 'APPLICATION/JSON' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.constant({}),
      oneOf(
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        'application/json;;;=',
        'application/ld+json',
        'application/',
        '/',
        ';',
        '',
        'x'.repeat(2000),
      ).map((value) => ({ 'content-type': value })),
    ),
  },
);

/** One header at a time that is unusual, misleading or broken. */
const unusualHeader: fc.Arbitrary<Headers> = fc
  .tuple(
    fc.constantFrom('authorization', 'cookie', 'user-agent', 'origin', 'x-request-id', 'other'),
    fc.nat(),
  )
  .chain(([name, pick]): fc.Arbitrary<Headers> => {
    if (name === 'other') {
      return fc.constant(OTHER[pick % OTHER.length] ?? {});
    }
    return (VALUES[name] ?? headerText).map((value) => ({ [name]: value }));
  });

const VALUES: Record<string, fc.Arbitrary<string | string[]>> = {
  authorization: oneOf(
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'bearer @@accessToken@@ ',
    'Bearer @@accessToken@@x',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Bearer eyJhbGciOiJFZERTQSIsImtpZCI6bnVsbH0.bnVsbA.AA',
    `Bearer ${'a'.repeat(6000)}`,
    'Basic YTpi',
    'Bearer @@mfaToken@@',
  ),
  cookie: oneOf(
    'refreshToken',
    'refreshToken=',
    'refreshToken=%',
    'refreshToken=%E0%A4%A',
    'refreshToken="@@refreshToken@@"',
    'refreshToken="',
    'refreshToken=a; refreshToken=@@refreshToken@@',
    'device=%00; refreshToken=%00',
    'device=@@device@@x',
    'device=.',
    'device=a.b.c',
    `device=${'d'.repeat(4000)}`,
    '__proto__=x; constructor=y',
    ';;;=;',
    ['refreshToken=@@refreshToken@@', 'device=x'],
  ),
  'user-agent': oneOf(
    '',
    '()',
    'Mozilla/5.0 (',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
    'M'.repeat(8000),
    '((((((((((((((((((((((((((((((((((((((((((((((((((',
  ),
  origin: oneOf('null', '', '%', 'https://evil.example', 'https://web.example', 'https://['),
  'x-request-id': oneOf('mine', '', 'x'.repeat(300), '"{}"', ['a', 'b']),
};

const OTHER: Headers[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': '' },
  { 'x-forwarded-for': '::ffff:1.2.3.4, nonsense, ' },
  { forwarded: 'for="[::1' },
  { 'x-http-method-override': 'DELETE' },
  { 'content-encoding': 'gzip' },
  { 'accept-encoding': 'identity;q=0, *;q=0' },
  { accept: 'text/html' },
  { 'accept-version': '9.9.9' },
  { 'if-none-match': '*' },
  { 'if-match': 'W/"' },
  { range: 'bytes=0-0' },
  { expect: '100-continue' },
  { upgrade: 'websocket', connection: 'upgrade' },
  { te: 'trailers' },
  { 'x-internal-secret': 'wrong' },
  { 'x-internal-secret': '' },
  { 'x-internal-secret': 'é' },
  { 'access-control-request-method': 'PUT', origin: 'https://evil.example' },
  { host: '' },
  { host: 'evil.example:99999' },
  { host: '[' },
  { 'x-big': 'x'.repeat(12_000) },
  { 'x-too-big': 'x'.repeat(20_000) },
];

export const unusualHeaders: fc.Arbitrary<Headers> = fc
  .array(unusualHeader, { minLength: 1, maxLength: 3 })
  .map((each) => Object.assign({}, ...each));
