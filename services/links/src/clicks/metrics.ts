import { Counter, type Registry } from 'prom-client';

/** Why a click that was redirected is neither stored nor emitted. */
export type NotRecordedReason = 'limit' | 'journal';

/** Counts clicks over the limit, and clicks that neither memory nor the journal had space for. */
export function countNotRecorded(
  registry: Registry,
): (reason: NotRecordedReason, clicks: number) => void {
  const counter = new Counter({
    name: 'clicks_not_recorded_total',
    help: 'Clicks that were redirected but neither stored nor emitted',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with it.
  counter.inc({ reason: 'limit' }, 0);
  counter.inc({ reason: 'journal' }, 0);
  return (reason, clicks) => counter.inc({ reason }, clicks);
}
