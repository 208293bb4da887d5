import type { Metrics } from '@atrium/service-kit/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Backlog, ReadBacklog } from './backlog-store.ts';
import type { Delivered } from '../sending/deliver.ts';
import type { Fate } from './delivery-loop.ts';
import type { CircuitState } from './circuit-breaker.ts';

export interface DeliveryMetricsSources {
  /** Deliveries that this process holds right now. */
  heldCount: () => number;
  circuits: () => Record<CircuitState, number>;
  readBacklog: ReadBacklog;
}

/** What a worker tells about its deliveries. The backlog is the same at every worker. */
export function createDeliveryMetrics(registry: Metrics, sources: DeliveryMetricsSources) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts by outcome and by class of the answer (2xx … 5xx, none)',
    labelNames: ['outcome', 'answer'] as const,
    registers,
  });
  // By outcome and class of the answer: looking a counter up by its labels costs more than counting.
  const counters: Record<Delivered['outcome'], Counter.Internal[]> = {
    delivered: [],
    retry: [],
    exhausted: [],
    gone: [],
  };
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to its answer',
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  const takenOver = new Counter({
    name: 'webhook_leases_taken_over_total',
    help: 'Leases that ran out without a result: their attempts may have been sent twice',
    registers,
  });
  const unstored = new Counter({
    name: 'webhook_results_not_stored_total',
    help: 'Results that came after another worker had stored one (late) or that were let go (lost)',
    labelNames: ['fate'] as const,
    registers,
  });
  const held: Gauge = new Gauge({
    name: 'webhook_deliveries_held',
    help: 'Deliveries leased, in flight or waiting to be stored',
    registers,
    collect: () => held.set(sources.heldCount()),
  });
  const circuits: Gauge<'state'> = new Gauge({
    name: 'webhook_circuits',
    help: 'Endpoints known to this worker by the state of their circuit breaker',
    labelNames: ['state'] as const,
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(sources.circuits()))
        circuits.set({ state }, count);
    },
  });
  let reading: Promise<Backlog | undefined> | undefined;
  // Both gauges of one scrape share one query; while Postgres is away they show nothing.
  const readBacklog = () => {
    reading ??= sources
      .readBacklog()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    return reading;
  };
  const backlogGauge = (name: string, help: string, field: keyof Backlog) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        const backlog = await readBacklog();
        if (backlog === undefined) gauge.remove();
        else gauge.set(backlog[field]);
      },
    });
  };
  backlogGauge(
    'webhook_deliveries_due',
    'Deliveries that are due and not being attempted, at most 1,000 counted per endpoint',
    'due',
  );
  backlogGauge(
    'webhook_oldest_due_seconds',
    'How long the delivery that waits longest has been due',
    'oldestDueSeconds',
  );
  const rejected = new Counter({
    name: 'webhook_events_rejected_total',
    help: 'Events that could not be taken in and were set aside in rejected_events',
    registers,
  });
  const withoutBody = new Counter({
    name: 'webhook_deliveries_without_body_total',
    help: 'Deliveries that were ended because their bodies are gone',
    registers,
  });
  return {
    observe({ outcome, record }: Delivered): void {
      const answerClass = record.status === null ? 0 : Math.floor(record.status / 100);
      const counter = (counters[outcome][answerClass] ??= attempts.labels({
        outcome,
        answer: answerClass === 0 ? 'none' : `${answerClass}xx`,
      }));
      counter.inc();
      duration.observe(record.durationMs / 1000);
    },
    observeFate(fate: Fate): void {
      if (fate !== 'stored') unstored.inc({ fate });
    },
    observeTakeOver: () => takenOver.inc(),
    observeRejected: (count: number) => rejected.inc(count),
    observeWithoutBody: (count: number) => withoutBody.inc(count),
  };
}
