import { createLogger } from '@atrium/service-kit/logger';
import { attemptOf } from './attempt.fixture.ts';
import type { AttemptRecord } from '../sending/deliver.ts';
import type { Delivered } from '../sending/deliver.ts';
import { Drain } from './delivery-loop.ts';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';
import type { DeliveryStore } from './lease-store.ts';

const keyRing = testKeyRing();

export const delivery = (id: string, leaseId = 'one') =>
  leased(keyRing, 'https://example.com', { id, leaseId });

/** A drain whose store gives what `due` holds, and whose requests last until they are answered. */
export function setUpDrain() {
  const due: LeasedDelivery[] = [];
  const leases: string[][] = [];
  const cursors: string[] = [];
  const released: string[] = [];
  const settled: string[] = [];
  const requests = new Map<string, (answer: Partial<AttemptRecord>) => void>();
  const begun: string[] = [];
  const db = { isAway: false, failures: 0, found: [] as string[] };
  const store: DeliveryStore = {
    async dueEndpoints(after) {
      cursors.push(after);
      return db.found;
    },
    async lease({ rooms }) {
      const room = rooms.get('whk_1') ?? 0;
      const rows = due.splice(0, room);
      leases.push(rows.map(({ id }) => id));
      return rows;
    },
    async record(records) {
      if (db.isAway) {
        db.failures += 1;
        throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      }
      return new Set(records.map((record) => record.deliveryId));
    },
    async release(deliveries) {
      released.push(...deliveries.map(({ id }) => id));
    },
  };
  const drain = new Drain({
    store,
    deliver: (attempted) => {
      const { id } = attempted;
      begun.push(id);
      const { promise, resolve } = Promise.withResolvers<Delivered>();
      requests.set(id, (answer) => {
        const record = attemptOf(attempted, answer);
        const outcome = record.state === 'delivered' ? 'delivered' : 'retry';
        resolve({ record, outcome, timedOut: false });
      });
      return promise;
    },
    logger: createLogger({ service: 'test', level: 'silent' }),
    concurrency: 100,
    endpointConcurrency: 1,
    requestTimeoutMs: 15_000,
    takePermits: async () => ({ granted: 1, retryAfterMs: 0 }),
    onSettled: (record, _delivery, fate) => settled.push(`${record.deliveryId} ${fate}`),
  });
  /** These become due, and the endpoint is woken. */
  const comeDue = (...deliveries: LeasedDelivery[]) => {
    due.push(...deliveries);
    drain.wake(['whk_1']);
  };
  const answer = (id: string, result: Partial<AttemptRecord> = {}) => requests.get(id)?.(result);
  return { drain, comeDue, answer, begun, leases, cursors, released, settled, db };
}
