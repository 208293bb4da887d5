import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { baseConfig, ConfigError, readConfig, WebUrl } from './config.ts';

const directory = mkdtempSync(join(tmpdir(), 'atrium-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const COMPLETE = {
  PORT: '4001',
  METRICS_PORT: '4101',
  DATABASE_URL: 'postgres://localhost/atrium_auth',
  REDIS_URL: 'redis://localhost',
  AUTH_URL: 'http://127.0.0.1:4001',
  WEB_URL: 'https://atrium.example.com',
};
const schema = Type.Object({
  ...baseConfig,
  WEB_URL: WebUrl,
  SECRET: Type.String({ minLength: 8 }),
});

function faultsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.faults;
    }
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it.each([
    '::::/8',
    '10.0.0.0/33',
    '10.0.0/8',
    'fe80::/129',
    'fe80::1%eth0/64',
    '10.0.0.0',
    '::/',
  ])('refuses the network %s', (network) => {
    const env = { ...COMPLETE, SECRET: 'long enough', TRACE_TRUSTED_NETWORKS: network };
    expect(faultsOf(env)).toEqual([expect.stringMatching(/^TRACE_TRUSTED_NETWORKS is not valid/)]);
  });

  it('reads types, defaults and lists', () => {
    const origins = 'https://a.example.com, https://b.example.com';
    const env = { ...COMPLETE, SECRET: 'long enough', CORS_ORIGINS: origins, TRUST_PROXY: 'true' };
    expect(readConfig(schema, env)).toEqual({
      ...COMPLETE,
      PORT: 4001,
      METRICS_PORT: 4101,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      ATRIUM_VERSION: 'development',
      CORS_ORIGINS: ['https://a.example.com', 'https://b.example.com'],
      TRUST_PROXY: true,
      RATE_LIMITS: 'on',
      RATE_LIMIT_PER_ACCOUNT: 3000,
      RATE_LIMIT_PER_ADDRESS: 3000,
      QUEUE_PREFIX: '{atrium}',
      RELAY_INTERVAL_MS: 1000,
      OTEL_TRACES_SAMPLER_ARG: 0.1,
      TRACE_ACCOUNTS: [],
      TRACE_TRUSTED_NETWORKS: [],
      SECRET: 'long enough',
    });
  });

  it('reads the IP addresses of proxies as text', () => {
    const env = { ...COMPLETE, SECRET: 'long enough', TRUST_PROXY: '10.0.0.0/8,loopback' };
    expect(readConfig(schema, env).TRUST_PROXY).toBe('10.0.0.0/8,loopback');
  });

  it.each(['127.0.0.1, fd00::/8', '10.0.0.0/255.0.0.0', 'uniquelocal'])('takes %s', (proxies) => {
    const env = { ...COMPLETE, SECRET: 'long enough', TRUST_PROXY: proxies };
    expect(faultsOf(env)).toEqual([]);
  });

  it.each(['yes', '1', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.1,', '10.0.0.0/8;127.0.0.1'])(
    'refuses the proxies %s',
    (proxies) => {
      const env = { ...COMPLETE, SECRET: 'long enough', TRUST_PROXY: proxies };
      expect(faultsOf(env)).toEqual([expect.stringMatching(/^TRUST_PROXY is not valid/)]);
    },
  );

  it.each(['https://app.example.com/foo', 'https://App.example.com', 'https://a.example.com:443'])(
    'refuses %s, which no browser sends as an origin',
    (origin) => {
      const env = { ...COMPLETE, SECRET: 'long enough', CORS_ORIGINS: origin };
      expect(faultsOf(env)).toEqual([expect.stringMatching(/^CORS_ORIGINS is not valid/)]);
    },
  );

  it('names every fault with what is expected, and never the value', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      METRICS_PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@localhost',
      REDIS_URL: '',
      AUTH_URL: 'auth.example.com',
      WEB_URL: 'https://atrium.example.com/',
      LOG_LEVEL: 'loud',
      RATE_LIMITS: 'maybe',
      SECRET: 'short',
    });
    expect(faults).toEqual([
      'PORT is not valid: expected a port number from 0 to 65535',
      'METRICS_PORT is not valid: expected a port number from 0 to 65535',
      'DATABASE_URL is not valid: expected a postgres:// URL',
      'REDIS_URL is missing: expected a redis:// URL',
      'LOG_LEVEL is not valid: expected one of fatal, error, warn, info, debug, trace, silent',
      'AUTH_URL is not valid: expected an http:// or https:// URL without a trailing slash',
      'RATE_LIMITS is not valid: expected one of on, off',
      'WEB_URL is not valid: expected an http:// or https:// URL without a trailing slash',
      'SECRET is not valid: expected a text of at least 8 characters',
    ]);
  });

  it('reads a value from the file that NAME_FILE names', () => {
    const path = join(directory, 'secret');
    writeFileSync(path, 'from the file\n');
    expect(readConfig(schema, { ...COMPLETE, SECRET_FILE: path }).SECRET).toBe('from the file');
  });

  it('rejects a missing file, and a value that is given twice', () => {
    const path = join(directory, 'nowhere');
    expect(faultsOf({ ...COMPLETE, SECRET_FILE: path })).toEqual([
      'SECRET cannot be read from the file in SECRET_FILE (ENOENT)',
    ]);
    expect(faultsOf({ ...COMPLETE, SECRET: 'long enough', SECRET_FILE: path })).toEqual([
      'SECRET is given twice: unset it or SECRET_FILE',
    ]);
  });

  it('omits optional variables that are not set', () => {
    const optional = Type.Object({ SMTP_URL: Type.Optional(Type.String()) });
    expect(readConfig(optional, {})).toEqual({});
    expect(readConfig(optional, { SMTP_URL: '' })).toEqual({});
  });
});
