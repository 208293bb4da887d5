import type { LeasedDelivery } from '../sending/deliver.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** How many deliveries of one endpoint may be held at first. */
export const WINDOW_INITIAL = 2;

/** Not answered yet; answers in good time; answers late or not at all. */
export type EndpointState = 'unknown' | 'healthy' | 'slow';

export interface EndpointQueue {
  id: string;
  /** Its owner, once something was leased for it. */
  accountId: string | undefined;
  state: EndpointState;
  /** How many deliveries may be held: grows by one with each quick answer, halves without an answer. */
  window: number;
  inFlight: number;
  /** Ids of deliveries in flight that were asked for now: past the circuit and the rate limit. */
  urgent: Set<string>;
  waiting: LeasedDelivery[];
  lastProgressMs: number;
  breaker: CircuitBreaker;
  /** Requests per second that the owner allows; null for any number. */
  ratePerSecond: number | null;
  /** Requests that the rate limit allows now. */
  permits: number;
  isAwaitingPermits: boolean;
}

/** The queue of an endpoint of which nothing is known yet. */
export function newQueue(id: string, nowMs: number): EndpointQueue {
  return {
    id,
    accountId: undefined,
    state: 'unknown',
    window: WINDOW_INITIAL,
    inFlight: 0,
    urgent: new Set(),
    waiting: [],
    lastProgressMs: nowMs,
    breaker: new CircuitBreaker(),
    ratePerSecond: null,
    permits: 0,
    isAwaitingPermits: false,
  };
}
