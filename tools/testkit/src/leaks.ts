import { afterAll, vi } from 'vitest';
import { until } from './until.ts';

/** Only what keeps a process alive counts: idle keep-alive sockets are unreferenced. */
const WATCHED = new Set(['TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap']);
const GRACE_MS = 20_000;

const before = watchedResources().length;

// Registered before every other hook, so it runs after all of them.
afterAll(async () => {
  // The next file runs in the same process.
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await until(() => watchedResources().length <= before, { timeoutMs: GRACE_MS }).catch(() => {
    throw new Error(`This test file leaves open: ${watchedResources().join(', ')}`);
  });
});

function watchedResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => WATCHED.has(name));
}
