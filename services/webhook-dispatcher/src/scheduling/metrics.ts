import { parseTraceparent } from '@atrium/contracts/traceparent';
import { durations, type Metrics } from '@atrium/service-kit/metrics';
import { Counter, Gauge } from 'prom-client';
import type { Backlog, ReadBacklog } from './backlog-store.ts';
import type { Attempt } from '../sending/deliver.ts';
import type { PersistResult } from './attempt-recorder.ts';
import type { CircuitState } from '../endpoints/circuit-breaker.ts';

export interface DeliveryMetricsSources {
  /** Deliveries that this process holds right now. */
  leasedCount: () => number;
  countCircuits: () => Record<CircuitState, number>;
  readBacklog: ReadBacklog;
}

/** The metrics of a worker. All workers report the same backlog. */
export function createDeliveryMetrics(registry: Metrics, sources: DeliveryMetricsSources) {
  const registers = [registry];
  registerWorkerGauges(registry, sources);
  registerBacklogGauges(registry, sources.readBacklog);
  const takenOver = new Counter({
    name: 'webhook_leases_taken_over_total',
    help: 'Expired leases taken over from another worker: their attempts may have been sent twice',
    registers,
  });
  const notStored = new Counter({
    name: 'webhook_attempts_not_stored_total',
    help: 'Attempts that another worker had recorded first (late) or that could not be stored (dropped)',
    labelNames: ['result'] as const,
    registers,
  });
  notStored.inc({ result: 'dropped' }, 0);
  const rejected = new Counter({
    name: 'webhook_events_rejected_total',
    help: 'Events that could not be ingested and were put into rejected_events',
    registers,
  });
  const unmatched = new Counter({
    name: 'webhook_deliveries_filtered_total',
    help: 'Deliveries that were not made because the event did not match the filter of the subscription',
    registers,
  });
  const withoutBody = new Counter({
    name: 'webhook_deliveries_without_body_total',
    help: 'Deliveries that were exhausted because their bodies are missing',
    registers,
  });
  return {
    observeAttempt: createAttemptObserver(registry),
    observePersisted(result: PersistResult): void {
      if (result !== 'stored') notStored.inc({ result });
    },
    observeLeaseTakenOver: () => takenOver.inc(),
    observeRejected: (count: number) => rejected.inc(count),
    observeUnmatched: (count: number) => unmatched.inc(count),
    observeWithoutBody: (count: number) => withoutBody.inc(count),
  };
}

/** Counts and times attempts. */
function createAttemptObserver(
  registry: Metrics,
): (attempt: Attempt, traceparent: string | null) => void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts by outcome and status class of the answer (2xx … 5xx, none)',
    labelNames: ['outcome', 'answer'] as const,
    registers,
  });
  // What alerts look for is there from the start: Prometheus sees no increase in a first value.
  for (const answer of ['none', '3xx', '4xx', '5xx']) {
    attempts.inc({ outcome: 'exhausted', answer }, 0);
  }
  const observeDuration = durations(registry, {
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to its answer',
    labelNames: [],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  });
  // By outcome and status class: finding a counter by its labels costs more than counting.
  const counters: Record<Attempt['outcome'], Counter.Internal[]> = {
    delivered: [],
    retry: [],
    exhausted: [],
    gone: [],
  };
  return ({ outcome, status, durationMs }, traceparent) => {
    const statusClass = status === null ? 0 : Math.floor(status / 100);
    const counter = (counters[outcome][statusClass] ??= attempts.labels({
      outcome,
      answer: statusClass === 0 ? 'none' : `${statusClass}xx`,
    }));
    counter.inc();
    observeDuration({}, durationMs / 1000, parseTraceparent(traceparent));
  };
}

function registerWorkerGauges(
  registry: Metrics,
  { leasedCount, countCircuits }: DeliveryMetricsSources,
): void {
  const registers = [registry];
  const leased: Gauge = new Gauge({
    name: 'webhook_deliveries_held',
    help: 'Deliveries leased by this worker: queued, in flight or not yet recorded',
    registers,
    collect: () => leased.set(leasedCount()),
  });
  const circuits: Gauge<'state'> = new Gauge({
    name: 'webhook_circuits',
    help: 'Endpoints known to this worker, by the state of their circuit breaker',
    labelNames: ['state'] as const,
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(countCircuits())) circuits.set({ state }, count);
    },
  });
}

function registerBacklogGauges(registry: Metrics, readBacklog: ReadBacklog): void {
  let reading: Promise<Backlog | undefined> | undefined;
  // The gauges of one scrape share one query; while Postgres is unavailable they show nothing.
  const readOnce = () => {
    reading ??= readBacklog()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    return reading;
  };
  const register = (name: string, help: string, field: keyof Backlog) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await readOnce();
        if (backlog === undefined) gauge.remove();
        else gauge.set(backlog[field]);
      },
    });
  };
  register(
    'webhook_deliveries_due',
    'Deliveries that are due and not being attempted, at most 1,000 counted per endpoint',
    'due',
  );
  register(
    'webhook_oldest_due_seconds',
    'How long the oldest delivery has been due, without failing endpoints and those with a rate limit',
    'oldestDueSeconds',
  );
}
