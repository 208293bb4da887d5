import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { outboxLag, type QueueLag } from './lag.ts';

const GAUGES = {
  outbox_oldest_seconds: ['Age of the oldest row that has not arrived yet', 'oldestSeconds'],
  outbox_waiting: ['Rows that have not arrived yet, at most 100,000 counted', 'waiting'],
  outbox_set_aside: ['Messages that failed too often and wait for an operator', 'setAside'],
} as const satisfies Record<string, [string, keyof QueueLag]>;

/**
 * Shows how far the relays of an outbox are behind, by queue, in a Prometheus registry. While
 * Postgres does not answer, nothing is shown.
 */
export function observeOutbox(registry: Registry, pool: Pool): void {
  let reading: Promise<QueueLag[]> | undefined;
  // All gauges of one scrape share one query.
  const read = () => {
    reading ??= outboxLag(pool)
      .catch(() => [])
      .finally(() => (reading = undefined));
    return reading;
  };
  for (const [name, [help, field]] of Object.entries(GAUGES)) {
    const gauge: Gauge<'queue'> = new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const lags = await read();
        gauge.reset();
        for (const lag of lags) gauge.set({ queue: lag.queue }, lag[field]);
      },
    });
  }
}
