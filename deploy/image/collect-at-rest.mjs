// Collects garbage while the process has nothing to do.
import { performance } from 'node:perf_hooks';

const COLLECT_EVERY_MS = 30_000;
/** Share of the time in which an idle process is busy with health checks, schedules and what others ask it. */
const IDLE = 0.1;

// Node itself would wait until the heap has reached half of its limit: collecting at rest frees a third of
// what a process holds. The first collection is V8's `last-resort`, which also drops the code compiled for
// the start (20 MB).
let last = performance.eventLoopUtilization();
let flavor = 'last-resort';
setInterval(() => {
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, last);
  last = now;
  if (utilization > IDLE) return;
  void globalThis.gc({ type: 'major', execution: 'sync', flavor });
  flavor = 'regular';
}, COLLECT_EVERY_MS).unref();
