import type { Metrics } from '@atrium/service-kit/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Delivered } from './deliver.ts';

/** @param heldCount deliveries that this process holds right now */
export function createDeliveryMetrics(registry: Metrics, heldCount: () => number) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts by outcome',
    labelNames: ['outcome'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to its answer',
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  const held: Gauge = new Gauge({
    name: 'webhook_deliveries_held',
    help: 'Deliveries leased, in flight or waiting to be stored',
    registers,
    collect: () => held.set(heldCount()),
  });
  return {
    observe({ outcome, record }: Delivered): void {
      attempts.inc({ outcome });
      duration.observe(record.durationMs / 1000);
    },
  };
}
