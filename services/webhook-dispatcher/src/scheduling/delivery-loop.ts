import { Wakeup } from '@atrium/events/waiting';
import type { Logger } from '@atrium/service-kit/logger';
import type { Deliver, Delivered } from '../sending/deliver.ts';
import type { TakePermits } from './endpoint-rate.ts';
import { type AttemptResult, EndpointLanes } from './endpoint-states.ts';
import { type Lease, newLease } from './lease.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { createReserve, type Reserve } from './reservations.ts';
import type { AttemptRecord } from '../sending/deliver.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';
import type { DeliveryStore } from './lease-store.ts';
import { EndpointTurns, type Turn } from './round-robin.ts';

const SCAN_MS = 1_000;
const SCAN_ENDPOINTS_MAX = 5_000;
const GATHER_MS = 5;
const STALL_CHECK_MS = 250;
const DRAIN_GIVE_UP_MS = 20_000;

export interface DrainOptions {
  store: DeliveryStore;
  deliver: Deliver;
  logger: Logger;
  /**
   * Deliveries held at once (leased, in flight or waiting to be stored) for endpoints that answer;
   * those that are unknown or slow have as many places each (see EndpointTurns).
   */
  concurrency: number;
  endpointConcurrency: number;
  requestTimeoutMs: number;
  takePermits: TakePermits;
  /** How often all endpoints are looked through (1 s): the safety net under wake-ups. */
  scanMs?: number;
  onAttempt?: (delivered: Delivered, delivery: LeasedDelivery) => void;
  /** Told when it is known what became of an attempt's result. */
  onSettled?: (record: AttemptRecord, delivery: LeasedDelivery, fate: Fate) => void;
}

export type Fate = 'stored' | 'late' | 'lost';

interface Held {
  delivery: LeasedDelivery;
  startBeforeMs: number;
}

/** Leases due deliveries, attempts them, stores what came of it, for as long as it lives. */
export class Drain implements AsyncDisposable {
  /** Keeps places for deliveries that are about to be stored: see createReserve. */
  readonly reserve: Reserve;
  readonly #options: DrainOptions;
  readonly #lanes: EndpointLanes;
  readonly #recorder: AttemptRecorder;
  readonly #held = new Map<string, Held>();
  readonly #giveUp = new AbortController();
  readonly #wakeup = new Wakeup();
  readonly #stallCheck: NodeJS.Timeout;
  readonly #retryTimers = new Map<string, NodeJS.Timeout>();
  readonly #loop: Promise<void>;
  #gathering: NodeJS.Timeout | undefined;
  readonly #turns = new EndpointTurns();
  #scanCursor = '';
  #nextScanMs = 0;
  #lastFinishedMs = Date.now();
  #stopping = false;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#lanes = new EndpointLanes({
      concurrency: options.endpointConcurrency,
      clockMs: Date.now,
      takePermits: options.takePermits,
      start: (delivery) => void this.#attempt(delivery),
    });
    this.#recorder = new AttemptRecorder({
      store: options.store,
      logger: options.logger,
      settled: (record, fate) => this.#settled(record, fate),
      giveUp: this.#giveUp.signal,
    });
    this.reserve = createReserve({
      lanes: this.#lanes,
      freePlaces: () => {
        const isClosed = this.#stopping || this.#recorder.isBlocked;
        return isClosed ? 0 : options.concurrency - this.#held.size;
      },
      isAwaited: (id) => this.#turns.has(id),
      newLease: () => newLease(options.requestTimeoutMs),
      hold: (delivery, lease) => {
        // Once this has ended the lease must run out: nothing could be sent or stored any more.
        if (!this.#giveUp.signal.aborted) this.#hold(delivery, lease);
      },
    });
    this.#stallCheck = setInterval(() => this.#releaseStalled(), STALL_CHECK_MS);
    this.#loop = this.#run();
  }

  /** Something is due at these endpoints, or somewhere: look now rather than at the next scan. */
  wake(subscriptionIds?: readonly string[]): void {
    if (subscriptionIds === undefined) this.#nextScanMs = 0;
    else this.#turns.add(subscriptionIds);
    this.#wakeup.notify();
  }

  /** When an attempt was last finished, or this began. */
  get lastFinishedMs(): number {
    return this.#lastFinishedMs;
  }

  get heldCount(): number {
    return this.#held.size;
  }

  circuits(): ReturnType<EndpointLanes['circuits']> {
    return this.#lanes.circuits();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      if (this.#recorder.isBlocked) {
        await this.#wakeup.wait(SCAN_MS);
        continue;
      }
      try {
        if (Date.now() >= this.#nextScanMs) await this.#scan();
        const turn = this.#turns.next(this.#lanes, this.#held.size, this.#options.concurrency);
        if (turn.rooms.size > 0) await this.#lease(turn);
        else await this.#wakeup.wait(Math.max(1, this.#nextScanMs - Date.now()));
      } catch (error) {
        this.#options.logger.error({ err: error }, 'deliveries could not be leased');
        await this.#wakeup.wait(SCAN_MS);
      }
    }
  }

  async #scan(): Promise<void> {
    this.#nextScanMs = Date.now() + (this.#options.scanMs ?? SCAN_MS);
    const found = await this.#options.store.dueEndpoints(this.#scanCursor, SCAN_ENDPOINTS_MAX);
    this.#scanCursor = found.length < SCAN_ENDPOINTS_MAX ? '' : (found.at(-1) ?? '');
    this.#turns.add(found);
  }

  async #lease(turn: Turn): Promise<void> {
    const lease = newLease(this.#options.requestTimeoutMs);
    const rows = await this.#options.store.lease({ ...lease, ...turn });
    for (const delivery of rows) this.#hold(delivery, lease);
    this.#turns.taken(turn, rows);
  }

  #hold(delivery: LeasedDelivery, { startBeforeMs }: Lease): void {
    this.#held.set(delivery.id, { delivery, startBeforeMs });
    this.#lanes.add(delivery);
  }

  async #attempt(delivery: LeasedDelivery): Promise<void> {
    const held = this.#held.get(delivery.id);
    const isOurs = held?.delivery === delivery;
    if (!isOurs || Date.now() > held.startBeforeMs) {
      // The lease may end while the request is under way, and another worker send it too.
      queueMicrotask(() => this.#lanes.abandoned(delivery.subscriptionId));
      if (isOurs) await this.#release([delivery]);
      return;
    }
    const delivered = await this.#options.deliver(delivery);
    const { record } = delivered;
    this.#lastFinishedMs = Date.now();
    this.#recorder.add(record);
    this.#lanes.finished(delivery.subscriptionId, resultOf(delivered));
    this.#options.onAttempt?.(delivered, delivery);
    this.#wakeSoon();
  }

  /** There is room again. A moment's wait lets more of it gather into one lease. */
  #wakeSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#wakeup.notify();
    }, GATHER_MS);
  }

  #settled(record: AttemptRecord, fate: Fate): void {
    const held = this.#held.get(record.deliveryId);
    // After a long outage it may have been leased again meanwhile: that lease is still held.
    if (held?.delivery.leaseId === record.leaseId) {
      this.#held.delete(record.deliveryId);
      this.#options.onSettled?.(record, held.delivery, fate);
    }
    if (record.nextAttemptInMs !== null)
      this.#wakeIn(record.nextAttemptInMs, record.subscriptionId);
    this.#wakeSoon();
  }

  /** One timer per endpoint: what is due elsewhen, or much later, is found by the scan. */
  #wakeIn(ms: number, id: string): void {
    if (ms >= 10 * SCAN_MS || this.#retryTimers.has(id) || this.#stopping) return;
    const timer = setTimeout(() => {
      this.#retryTimers.delete(id);
      this.wake([id]);
    }, ms + 1);
    this.#retryTimers.set(id, timer);
  }

  #releaseStalled(): void {
    this.#lanes.forgetIdle();
    void this.#release(this.#lanes.takeStalled());
  }

  async #release(deliveries: LeasedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    for (const { id } of deliveries) this.#held.delete(id);
    try {
      await this.#options.store.release(deliveries);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'leases could not be given back and will run out');
    }
  }

  /** Takes nothing new from now on. */
  stopLeasing(): void {
    this.#stopping = true;
    this.#wakeup.notify();
  }

  /** Takes nothing new, waits for what is in flight, gives the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopLeasing();
    const deadline = setTimeout(() => this.#giveUp.abort(), DRAIN_GIVE_UP_MS);
    clearInterval(this.#stallCheck);
    for (const timer of this.#retryTimers.values()) clearTimeout(timer);
    await this.#loop;
    await this.#release(this.#lanes.takeAllWaiting());
    while (this.#held.size > 0 && !this.#giveUp.signal.aborted)
      await this.#wakeup.wait(STALL_CHECK_MS);
    clearTimeout(deadline);
    clearTimeout(this.#gathering);
    this.#giveUp.abort();
  }
}

function resultOf({ outcome, record }: Delivered): AttemptResult {
  const { durationMs, status } = record;
  if (outcome === 'delivered') return { durationMs, kind: 'delivered' };
  return { durationMs, kind: status === null ? 'unanswered' : 'refused' };
}
