import { ConfigError } from '@atrium/service-kit/config';
import { expect, test } from 'vitest';
import { readAuthConfig } from './config.ts';
import { environment, TEST_KEYS } from './test-app.ts';

test('defaults are those of the design', () => {
  const config = readAuthConfig(environment({ RATE_LIMITS: undefined }));
  expect(config).toMatchObject({
    ACCESS_TOKEN_TTL_SECONDS: 900,
    RATE_LIMITS: 'on',
    HOST: '127.0.0.1',
  });
  expect(config.SMTP_URL).toBeUndefined();
});

test('every fault is told at once, and no secret with it', () => {
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

test('two keys of one id are a fault', () => {
  const keys = `${TEST_KEYS},${TEST_KEYS}`;
  expect(() => readAuthConfig(environment({ SECRETS_KEYS: keys }))).toThrow(ConfigError);
});
