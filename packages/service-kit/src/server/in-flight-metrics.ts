import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../metrics.ts';
import type { BudgetScope } from './byte-budget.ts';

/** Figures of the budget of what is in flight. Without metrics nothing is counted. */
export function countInFlight(metrics: Metrics | undefined, usedBytes: () => number) {
  if (metrics === undefined) return { onRefused: () => undefined, onEnded: () => undefined };
  const registers = [metrics];
  new Gauge({
    name: 'http_in_flight_bytes',
    help: 'Memory that is reserved for requests, their bodies and their answers',
    registers,
    collect() {
      this.set(usedBytes());
    },
  });
  const refused = new Counter({
    name: 'http_in_flight_refused_total',
    help: 'Requests and answers that the budget of their account or of this process refused',
    labelNames: ['budget'] as const,
    registers,
  });
  const ended = new Counter({
    name: 'http_stalled_connections_total',
    help: 'Connections that were ended because their client sent nothing or took nothing',
    registers,
  });
  return {
    onRefused: (budget: BudgetScope) => refused.inc({ budget }),
    onEnded: () => ended.inc(),
  };
}
