import { createMetrics } from '@atrium/service-kit/metrics';
import { expect, test } from 'vitest';
import { createDeliveryMetrics } from './metrics.ts';

test('what alerts look for is counted from 0, since the first value of a series is no increase', async () => {
  const metrics = createMetrics();
  createDeliveryMetrics(metrics, {
    leasedCount: () => 0,
    countCircuits: () => ({ closed: 0, open: 0, 'half-open': 0 }),
    readBacklog: () => Promise.resolve({ due: 0, oldestDueSeconds: 0 }),
  });
  const lines = (await metrics.metrics()).split('\n');
  for (const answer of ['none', '3xx', '4xx', '5xx']) {
    expect(lines).toContain(`webhook_attempts_total{outcome="exhausted",answer="${answer}"} 0`);
  }
  expect(lines).toContain('webhook_attempts_not_stored_total{result="dropped"} 0');
});
