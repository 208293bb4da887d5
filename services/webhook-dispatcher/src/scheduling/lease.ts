import { randomUUID } from 'node:crypto';

/**
 * The lease outlives the request deadline by this, for waiting in a lane and for storing: short, since
 * it is also how long a killed worker's deliveries wait.
 */
const SLACK_MS = 10_000;
/** A request is started only while its lease lasts for the deadline and this. */
const MARGIN_MS = 5_000;

/** The right to attempt some deliveries, for a time. */
export interface Lease {
  leaseId: string;
  leaseMs: number;
  /** Unix milliseconds: a request that began later could outlast the lease, and be made twice. */
  startBeforeMs: number;
}

/** A lease from now on, for requests that take at most `requestTimeoutMs` milliseconds. */
export function newLease(requestTimeoutMs: number): Lease {
  return {
    leaseId: randomUUID(),
    leaseMs: requestTimeoutMs + SLACK_MS,
    startBeforeMs: Date.now() + SLACK_MS - MARGIN_MS,
  };
}
