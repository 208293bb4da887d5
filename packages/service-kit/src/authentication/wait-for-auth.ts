import { setTimeout as sleep } from 'node:timers/promises';

const AUTH_WAIT_MS = 5000;
const AUTH_INTERVAL_MS = 50;

/**
 * Requests come as soon as a service listens, and none could be authenticated before these checks
 * pass. Without auth it starts all the same, unready.
 */
export async function waitForAuth(checks: (() => Promise<void>)[]): Promise<void> {
  const isReady = () =>
    Promise.all(checks.map((check) => check())).then(
      () => true,
      () => false,
    );
  const deadlineMs = performance.now() + AUTH_WAIT_MS;
  while (!(await isReady()) && performance.now() < deadlineMs) await sleep(AUTH_INTERVAL_MS);
}
