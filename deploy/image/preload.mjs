// Loaded before every process of the image.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const COLLECT_EVERY_MS = 30_000;
/** Share of the time in which an idle process is busy with health checks and schedules. */
const IDLE = 0.03;

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

// The .ts files of the image are JavaScript already, so Node need not load its compiler.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) return nextLoad(url, context);
    return { format: 'module', source: readFileSync(fileURLToPath(url)), shortCircuit: true };
  },
});
