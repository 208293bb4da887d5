import { randomUUID } from 'node:crypto';
import type { Logger } from '@atrium/service-kit/logger';
import type { Deliver, Delivered } from './deliver.ts';
import { EndpointLanes } from './lanes.ts';
import { AttemptRecorder } from './recorder.ts';
import type { AttemptRecord, DeliveryStore, LeasedDelivery } from './store.ts';

const LEASE_BATCH = 100;
/** The lease outlives the request deadline by this, for waiting in a lane and for storing. */
const LEASE_SLACK_MS = 45_000;
/** A request is started only while its lease lasts for the deadline and this. */
const LEASE_MARGIN_MS = 5_000;
/** The safety net under wake-ups, and how late a retry may be taken up. */
const POLL_MS = 1_000;
const GATHER_MS = 5;
const STALL_CHECK_MS = 250;
const DRAIN_GIVE_UP_MS = 20_000;

export interface DrainOptions {
  store: DeliveryStore;
  deliver: Deliver;
  logger: Logger;
  /** Deliveries held at once: leased, in flight or waiting to be stored. */
  concurrency: number;
  endpointConcurrency: number;
  requestTimeoutMs: number;
  onAttempt?: (delivered: Delivered, delivery: LeasedDelivery) => void;
}

interface Held {
  delivery: LeasedDelivery;
  startBeforeMs: number;
}

/** Leases due deliveries, attempts them, stores what came of it, for as long as it lives. */
export class Drain implements AsyncDisposable {
  readonly #options: DrainOptions;
  readonly #lanes: EndpointLanes;
  readonly #recorder: AttemptRecorder;
  readonly #held = new Map<string, Held>();
  readonly #giveUp = new AbortController();
  readonly #stallCheck: NodeJS.Timeout;
  readonly #retryTimers = new Set<NodeJS.Timeout>();
  readonly #loop: Promise<void>;
  #gathering: NodeJS.Timeout | undefined;
  #cursor = '';
  #stopping = false;
  #wanted = true;
  #resume: (() => void) | undefined;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#lanes = new EndpointLanes({
      concurrency: options.endpointConcurrency,
      clockMs: Date.now,
      start: (delivery) => void this.#attempt(delivery),
    });
    this.#recorder = new AttemptRecorder({
      store: options.store,
      logger: options.logger,
      settled: (record) => this.#settled(record),
      giveUp: this.#giveUp.signal,
    });
    this.#stallCheck = setInterval(() => this.#releaseStalled(), STALL_CHECK_MS);
    this.#loop = this.#run();
  }

  /** Something may be due: look now rather than at the next poll. */
  wake(): void {
    this.#wanted = true;
    this.#resume?.();
  }

  get heldCount(): number {
    return this.#held.size;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const room = this.#options.concurrency - this.#held.size;
      // Small leases cost as much as full ones: wait until there is room for a good part of one.
      if (room < Math.min(LEASE_BATCH, this.#options.concurrency) / 2) {
        await this.#pause(POLL_MS);
        continue;
      }
      this.#wanted = false;
      try {
        const more = await this.#lease(Math.min(LEASE_BATCH, room));
        if (!more && !this.#wanted) await this.#pause(POLL_MS);
      } catch (error) {
        this.#options.logger.error({ err: error }, 'deliveries could not be leased');
        await this.#pause(POLL_MS);
      }
    }
  }

  /** Whether another look is worth its while at once. */
  async #lease(limit: number): Promise<boolean> {
    const { requestTimeoutMs, endpointConcurrency, store } = this.#options;
    const leaseMs = requestTimeoutMs + LEASE_SLACK_MS;
    const startBeforeMs = Date.now() + leaseMs - requestTimeoutMs - LEASE_MARGIN_MS;
    const leaseId = randomUUID();
    const rows = await store.lease({
      leaseId,
      leaseSeconds: Math.ceil(leaseMs / 1000),
      limit,
      afterSubscriptionId: this.#cursor,
      defaultRoom: endpointConcurrency,
      rooms: this.#lanes.rooms(),
    });
    const startedOver = this.#cursor === '';
    // Round robin: after a full batch the endpoints behind the last one have the next turn.
    const last = rows.reduce(
      (max, row) => (row.subscriptionId > max ? row.subscriptionId : max),
      '',
    );
    this.#cursor = rows.length === limit ? last : '';
    for (const delivery of rows) {
      if (delivery.leaseId !== leaseId) continue;
      this.#held.set(delivery.id, { delivery, startBeforeMs });
      this.#lanes.add(delivery);
    }
    return rows.length > 0 || !startedOver;
  }

  async #attempt(delivery: LeasedDelivery): Promise<void> {
    const held = this.#held.get(delivery.id);
    if (held === undefined || Date.now() > held.startBeforeMs) {
      // The lease may end while the request is under way, and another worker send it too.
      this.#held.delete(delivery.id);
      queueMicrotask(() => this.#finishLane(delivery, { durationMs: Infinity, timedOut: false }));
      return;
    }
    const delivered = await this.#options.deliver(delivery);
    const { record, timedOut } = delivered;
    this.#recorder.add(record);
    this.#finishLane(delivery, { durationMs: record.durationMs, timedOut });
    this.#options.onAttempt?.(delivered, delivery);
  }

  #finishLane(delivery: LeasedDelivery, answer: { durationMs: number; timedOut: boolean }): void {
    this.#lanes.finished(delivery.subscriptionId, answer);
    // Its endpoint has room again. A moment's wait lets more of that gather into one lease.
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.wake();
    }, GATHER_MS);
  }

  #settled(record: AttemptRecord): void {
    // After a long outage it may have been leased again meanwhile: that lease is still held.
    if (this.#held.get(record.deliveryId)?.delivery.leaseId === record.leaseId) {
      this.#held.delete(record.deliveryId);
    }
    const inMs = record.nextAttemptInMs;
    // Later ones are found by the poll; these would be late by a large part of their delay.
    if (inMs !== null && inMs < 10 * POLL_MS && !this.#stopping) {
      const timer = setTimeout(() => {
        this.#retryTimers.delete(timer);
        this.wake();
      }, inMs + 1);
      this.#retryTimers.add(timer);
    }
    this.#resume?.();
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

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const resume = () => done();
      function done(): void {
        clearTimeout(timer);
        resolve();
      }
      this.#resume = resume;
    });
  }

  /** Takes nothing new, waits for what is in flight, gives the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    const deadline = setTimeout(() => this.#giveUp.abort(), DRAIN_GIVE_UP_MS);
    clearInterval(this.#stallCheck);
    for (const timer of this.#retryTimers) clearTimeout(timer);
    this.#resume?.();
    await this.#loop;
    await this.#release(this.#lanes.takeAllWaiting());
    while (this.#held.size > 0 && !this.#giveUp.signal.aborted) await this.#pause(STALL_CHECK_MS);
    clearTimeout(deadline);
    clearTimeout(this.#gathering);
    this.#giveUp.abort();
  }
}
