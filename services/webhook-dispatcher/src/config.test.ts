import { ConfigError, readConfig } from '@atrium/service-kit/config';
import { describe, expect, it } from 'vitest';
import { WebhooksConfig, WorkerConfig } from './config.ts';

const env = {
  METRICS_PORT: '4105',
  DATABASE_URL: 'postgres://127.0.0.1/atrium_webhooks',
  REDIS_URL: 'redis://127.0.0.1:6379',
  SECRETS_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

function faultsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
}

describe('the configuration', () => {
  it('of the worker has the defaults of docs/configuration.md', () => {
    expect(readConfig(WorkerConfig, env)).toMatchObject({
      WEBHOOK_RETRY_DELAYS_MS: [30_000, 120_000, 600_000, 3_600_000],
      WEBHOOK_TIMEOUT_MS: 15_000,
      WEBHOOK_ACCOUNT_BACKLOG: 10_000,
      WEBHOOK_ALLOW_HTTP: false,
      WEBHOOK_ALLOWED_NETWORKS: [],
    });
  });

  it('parses comma-separated lists', () => {
    const given = {
      ...env,
      WEBHOOK_RETRY_DELAYS_MS: '1,2,3,4',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8, ::1/128,fd00::/8',
    };
    expect(readConfig(WorkerConfig, given)).toMatchObject({
      WEBHOOK_RETRY_DELAYS_MS: [1, 2, 3, 4],
      WEBHOOK_ALLOWED_NETWORKS: ['127.0.0.0/8', '::1/128', 'fd00::/8'],
    });
  });

  it('reports all invalid values at once', () => {
    const bad = {
      METRICS_PORT: 'x',
      SECRETS_KEYS: 'k1:c2hvcnQ=',
      WEBHOOK_RETRY_DELAYS_MS: '1,2',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33',
      TRACE_TRUSTED_NETWORKS: '::::/8',
    };
    const names = faultsOf(() => readConfig(WorkerConfig, bad)).map((fault) => fault.split(' ')[0]);
    const missing = ['DATABASE_URL', 'REDIS_URL'];
    expect(new Set(names)).toEqual(new Set([...Object.keys(bad), ...missing]));
    const http = faultsOf(() => readConfig(WebhooksConfig, env)).join('\n');
    expect(http).toContain('CRON_SECRET is missing');
    const short = { ...env, CRON_SECRET: 'x'.repeat(15) };
    expect(faultsOf(() => readConfig(WebhooksConfig, short)).join('\n')).toContain('CRON_SECRET');
  });
});
