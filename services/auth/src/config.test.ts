import { ConfigError } from '@atrium/service-kit/config';
import { expect, test } from 'vitest';
import { readAuthConfig } from './config.ts';
import { environment, TEST_KEYS } from './test-app.ts';

test('has defaults for optional variables', () => {
  const config = readAuthConfig(environment({ RATE_LIMITS: undefined }));
  expect(config).toMatchObject({
    ACCESS_TOKEN_TTL_SECONDS: 900,
    RATE_LIMITS: 'on',
    HOST: '127.0.0.1',
  });
  expect(config.SMTP_URL).toBeUndefined();
});

test('reports every fault at once, and no secret', () => {
  const bad = { INTERNAL_SECRET: 'short', SECRETS_KEYS: 'k1:c2VjcmV0', SMTP_URL: 'mail.example' };
  try {
    readAuthConfig(environment(bad));
    expect.unreachable();
  } catch (error) {
    const { faults } = error as ConfigError;
    expect(new Set(faults.map((fault) => fault.split(' ')[0]))).toEqual(new Set(Object.keys(bad)));
    expect(faults.join()).not.toContain('c2VjcmV0');
  }
});

test('rejects two keys with the same id', () => {
  const keys = `${TEST_KEYS},${TEST_KEYS}`;
  expect(() => readAuthConfig(environment({ SECRETS_KEYS: keys }))).toThrow(ConfigError);
});

test.each([
  'nonsense',
  'Atrium <nonsense>',
  'Example, Inc. <no-reply@example.com>',
  'a@b.example, c@d.example',
])('refuses the sender %s', (from) => {
  expect(() => readAuthConfig(environment({ MAIL_FROM: from }))).toThrow('MAIL_FROM is not valid');
});

test.each([
  'no-reply@localhost',
  'Atrium <no-reply@example.com>',
  '"Example, Inc." <no-reply@example.com>',
  '<no-reply@example.com>',
])('takes the sender %s', (from) => {
  expect(readAuthConfig(environment({ MAIL_FROM: from })).MAIL_FROM).toBe(from);
});
