import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import { EndpointQueues } from './endpoint-queues.ts';

/** Each request for permits is granted the next of these, and then none. */
export function setUp(...grants: number[]) {
  const clock = { nowMs: 0 };
  const started: string[] = [];
  const asked: number[] = [];
  const queues = new EndpointQueues({
    concurrency: 2,
    clockMs: () => clock.nowMs,
    takePermits: async (_id, _rate, wanted) => {
      asked.push(wanted);
      return { granted: grants.shift() ?? 0, retryAfterMs: 60_000 };
    },
    start: ({ id }) => void started.push(id),
  });
  const add = (...ids: string[]) => {
    for (const id of ids) queues.add(deliveryTo('whk_a', id));
  };
  const addLimited = (rate: number, ...ids: string[]) => {
    for (const id of ids) queues.add(deliveryTo('whk_a', id, rate));
  };
  const freeSlots = () => queues.freeSlots('whk_a');
  const finish = (result: Result, subscriptionId = 'whk_a', deliveryId = '') =>
    queues.finish({ subscriptionId, deliveryId, ...result });
  /** Makes the endpoint answer this many times. */
  const answer = (times: number, result: Result) => {
    for (let i = 0; i < times; i += 1) {
      add('answered');
      finish(result);
    }
    started.length = 0;
  };
  return { clock, started, asked, queues, add, addLimited, freeSlots, finish, answer };
}

const keyRing = testKeyRing();

export function deliveryTo(
  subscriptionId: string,
  id: string,
  rateLimitPerSecond: number | null = null,
) {
  const endpoint = { rateLimitPerSecond };
  return leased(keyRing, 'https://example.com', { id, subscriptionId, endpoint });
}

export type Result = Omit<Parameters<EndpointQueues['finish']>[0], 'subscriptionId' | 'deliveryId'>;
export const quick: Result = { durationMs: 5, status: 204, outcome: 'delivered' };
export const failed: Result = { durationMs: 5, status: 500, outcome: 'retry' };
export const slow: Result = { durationMs: 1_500, status: 204, outcome: 'delivered' };
export const timedOut: Result = { durationMs: 15_000, status: null, outcome: 'retry' };
