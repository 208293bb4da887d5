import { createMetrics } from '@atrium/service-kit/metrics';
import { expect, test } from 'vitest';
import { countNotRecorded } from './metrics.ts';

test('lost clicks are exported before there are any, so that an alert sees the first', async () => {
  const metrics = createMetrics();
  const count = countNotRecorded(metrics);
  expect(await metrics.metrics()).toContain('clicks_not_recorded_total{reason="journal"} 0');
  count('journal', 3);
  expect(await metrics.metrics()).toContain('clicks_not_recorded_total{reason="journal"} 3');
});
