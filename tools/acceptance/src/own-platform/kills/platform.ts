import { PROCESSES } from '@atrium/local-stack/process-table';
import { afterAll } from 'vitest';
import { startAtrium } from '../../atrium.ts';

/** Relays look only when they are woken, so that events show that every commit does so. */
const woken = { RELAY_INTERVAL_MS: '3600000' };

/** Whoever registers with this name. */
export const OPERATOR = 'operator-of-kills';

/** The platform of all these tests, one after another: each leaves its processes running. */
export const atrium = await startAtrium(
  { ACCOUNT_DELETION_GRACE_DAYS: '0', OPERATOR_EMAILS: `${OPERATOR}@example.com` },
  Object.fromEntries(PROCESSES.map(({ name }) => [name, woken])),
);
afterAll(() => atrium[Symbol.asyncDispose]());
