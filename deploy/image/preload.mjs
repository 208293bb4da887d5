// Loaded before every process of the image.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** When the process has started; what that leaves behind is a third of its memory. */
const COLLECT_AFTER_MS = 30_000;

// Node itself would wait until the heap has reached half of its limit. Only as a last resort does it also drop
// what it compiled for the start, which is 20 MB.
setTimeout(
  () => globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  COLLECT_AFTER_MS,
).unref();

// The .ts files of the image are JavaScript already, so Node need not load its compiler.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) return nextLoad(url, context);
    return { format: 'module', source: readFileSync(fileURLToPath(url)), shortCircuit: true };
  },
});
