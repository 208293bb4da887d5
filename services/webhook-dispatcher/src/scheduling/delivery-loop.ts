import { Wakeup } from '@atrium/events/timing';
import type { Logger } from '@atrium/service-kit/logger';
import type { Attempt, Deliver, LeasedDelivery, PostponedAttempt } from '../sending/deliver.ts';
import { AttemptRecorder, type PersistResult } from './attempt-recorder.ts';
import type { RecordAttempts } from './attempt-store.ts';
import { EndpointQueues, type EndpointQueuesOptions } from '../endpoints/endpoint-queues.ts';
import type { TakePermits } from '../endpoints/endpoint-rate.ts';
import type { LeaseStore } from './lease-store.ts';
import { createPostponementLog } from './postponement-log.ts';
import { HELD_MAX_BYTES, measure, RoundRobinScheduler } from './round-robin.ts';

const SCAN_MS = 1_000;
const SCAN_ENDPOINTS_MAX = 5_000;
const STALL_CHECK_MS = 250;
const SHUTDOWN_MAX_MS = 20_000;
const URGENT_MAX = 100;
/** Deliveries leased together to be sent at once: a few megabytes. */
const URGENT_PER_LEASE = 20;

const isDelivery = (id: string) => id.startsWith('dlv_');

export interface DeliveryLoopOptions {
  leases: LeaseStore;
  deliver: Deliver;
  recordAttempts: RecordAttempts;
  takePermits: TakePermits;
  logger: Logger;
  /** Slots for healthy endpoints; unknown and slow ones get as many each. */
  concurrency: number;
  /** Requests in flight to one endpoint at most. */
  endpointConcurrency: number;
  onRest?: EndpointQueuesOptions['onRest'];
  /** Called when the endpoint has answered or failed to. */
  onAttempt?: (attempt: Attempt, delivery: LeasedDelivery) => void;
  /** Called once the attempt is stored, or never will be. */
  onPersisted?: (attempt: Attempt, delivery: LeasedDelivery, result: PersistResult) => void;
}

/**
 * Lease → send → record, until disposed of. A lease is taken as soon as something is due and there
 * are free slots; whatever arrives or finishes meanwhile is dealt with by the next one.
 */
export class DeliveryLoop implements AsyncDisposable {
  readonly #options: DeliveryLoopOptions;
  readonly #scheduler = new RoundRobinScheduler();
  readonly #endpoints: EndpointQueues;
  readonly #recorder: AttemptRecorder;
  readonly #logPostponement: ReturnType<typeof createPostponementLog>;
  /** Leased deliveries that are queued, in flight or not yet recorded, by id. */
  readonly #leased = new Map<string, LeasedDelivery>();
  /** Deliveries to be sent at once; beyond so many they wait their turn. */
  readonly #urgent = new Set<string>();
  readonly #measure = () => measure(this.#leased.values(), this.#endpoints);
  readonly #wakeup = new Wakeup();
  readonly #giveUp = new AbortController();
  readonly #stallCheck: NodeJS.Timeout;
  readonly #running: Promise<void>;
  #scanCursor = '';
  // By a clock that only goes forward: set back, it would stop all retries.
  #nextScanMs = 0;
  #lastFinishedMs = performance.now();
  #isStopping = false;

  constructor(options: DeliveryLoopOptions) {
    this.#options = options;
    this.#logPostponement = createPostponementLog(options.logger);
    this.#endpoints = new EndpointQueues({
      concurrency: options.endpointConcurrency,
      clockMs: Date.now,
      takePermits: options.takePermits,
      start: (delivery) => void this.#send(delivery),
      onRest: options.onRest,
    });
    this.#recorder = new AttemptRecorder({
      recordAttempts: options.recordAttempts,
      logger: options.logger,
      giveUp: this.#giveUp.signal,
      onPersisted: (attempt, result) => this.#persisted(attempt, result),
    });
    this.#stallCheck = setInterval(() => this.#releaseStalled(), STALL_CHECK_MS);
    this.#running = this.#run();
  }

  /**
   * Something is due at these endpoints, or anywhere: look now rather than at the next scan. Of deliveries that are
   * named each is sent at once, whatever the state of its endpoint.
   */
  wake(ids?: readonly string[]): void {
    if (ids === undefined) this.#nextScanMs = 0;
    else this.#scheduler.add(ids.filter((id) => !isDelivery(id)));
    for (const id of ids?.filter(isDelivery) ?? []) {
      if (this.#urgent.size < URGENT_MAX) this.#urgent.add(id);
    }
    this.#wakeup.notify();
  }

  /** Milliseconds since an attempt last finished, or the loop started. */
  get idleMs(): number {
    return performance.now() - this.#lastFinishedMs;
  }

  get leasedCount(): number {
    return this.#leased.size;
  }

  countCircuits(): ReturnType<EndpointQueues['countCircuits']> {
    return this.#endpoints.countCircuits();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        // Until unrecorded attempts are in, their deliveries look as if they had not been sent.
        if (this.#recorder.isBlocked) await this.#wakeup.wait(SCAN_MS);
        else if (this.#urgent.size > 0 && this.#measure().bytes < HELD_MAX_BYTES)
          await this.#sendUrgent();
        else if (performance.now() >= this.#nextScanMs) await this.#findDueEndpoints();
        else await this.#leaseOrWait();
      } catch (error) {
        const { logger } = this.#options;
        logger.error({ err: error }, 'deliveries could not be leased, will try again');
        await this.#wakeup.wait(SCAN_MS);
      }
    }
  }

  async #sendUrgent(): Promise<void> {
    const ids = [...this.#urgent].slice(0, URGENT_PER_LEASE);
    for (const id of ids) {
      this.#urgent.delete(id);
      const delivery = this.#leased.get(id);
      if (delivery !== undefined) this.#endpoints.promote(delivery);
    }
    const others = ids.filter((id) => !this.#leased.has(id));
    if (others.length === 0) return;
    let leased: LeasedDelivery[];
    try {
      leased = await this.#options.leases.leaseNamed(others);
    } catch (error) {
      for (const id of others) this.#urgent.add(id);
      throw error;
    }
    for (const delivery of leased) {
      this.#leased.set(delivery.id, delivery);
      this.#endpoints.sendNow(delivery);
    }
  }

  /** The safety net under wake-ups, and how retries are found. */
  async #findDueEndpoints(): Promise<void> {
    this.#nextScanMs = performance.now() + SCAN_MS;
    const found = await this.#options.leases.findDueEndpoints(this.#scanCursor, SCAN_ENDPOINTS_MAX);
    this.#scanCursor = found.length < SCAN_ENDPOINTS_MAX ? '' : (found.at(-1) ?? '');
    this.#scheduler.add(found);
  }

  async #leaseOrWait(): Promise<void> {
    const { concurrency, leases } = this.#options;
    const round = this.#scheduler.nextRound(this.#endpoints, this.#measure(), concurrency);
    if (round.slots.size === 0) {
      await this.#wakeup.wait(Math.max(1, this.#nextScanMs - performance.now()));
      return;
    }
    const deliveries = await leases.lease(round);
    this.#scheduler.completeRound(round, deliveries);
    for (const delivery of deliveries) {
      this.#leased.set(delivery.id, delivery);
      // Sends it at once if its endpoint has a free slot.
      this.#endpoints.add(delivery);
    }
  }

  async #send(delivery: LeasedDelivery): Promise<void> {
    // The same delivery may have been leased again after a long outage: only that lease counts.
    const isLeased = this.#leased.get(delivery.id) === delivery;
    if (!isLeased || Date.now() > delivery.startBeforeMs) {
      // Later: the loop that starts what waits is the caller, and this would start it again.
      queueMicrotask(() => this.#endpoints.cancel(delivery));
      if (isLeased) await this.#release([delivery]);
      return;
    }
    const attempt = await this.#options.deliver(delivery);
    this.#lastFinishedMs = performance.now();
    if (attempt.outcome === 'postponed') {
      await this.#postpone(delivery, attempt);
      return;
    }
    this.#recorder.add(attempt);
    this.#endpoints.finish(attempt);
    this.#options.onAttempt?.(attempt, delivery);
  }

  async #postpone(delivery: LeasedDelivery, postponed: PostponedAttempt): Promise<void> {
    const { logger, leases } = this.#options;
    this.#logPostponement(delivery, postponed);
    this.#endpoints.postpone(delivery);
    if (this.#leased.get(delivery.id) !== delivery) return;
    if (postponed.delayMs === 0) return this.#release([delivery]);
    this.#leased.delete(delivery.id);
    try {
      await leases.postpone(delivery, postponed);
    } catch (error) {
      logger.warn({ err: error }, 'a lease could not be released and will expire');
    }
  }

  #persisted(attempt: Attempt, result: PersistResult): void {
    const delivery = this.#leased.get(attempt.deliveryId);
    if (delivery?.leaseId === attempt.leaseId) {
      this.#leased.delete(attempt.deliveryId);
      this.#options.onPersisted?.(attempt, delivery, result);
    }
    this.#wakeup.notify();
  }

  #releaseStalled(): void {
    this.#endpoints.removeIdle();
    void this.#release(this.#endpoints.takeStalled());
  }

  async #release(deliveries: LeasedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    for (const { id } of deliveries) this.#leased.delete(id);
    try {
      await this.#options.leases.release(deliveries);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'leases could not be released and will expire');
    }
  }

  /** From now on nothing more is leased. */
  stopLeasing(): void {
    this.#isStopping = true;
    this.#wakeup.notify();
  }

  /** Stops leasing, waits at most 20 s for what is in flight, and releases the rest. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopLeasing();
    const deadline = setTimeout(() => this.#giveUp.abort(), SHUTDOWN_MAX_MS);
    clearInterval(this.#stallCheck);
    await this.#running;
    await this.#release(this.#endpoints.takeAllWaiting());
    while (this.#leased.size > 0 && !this.#giveUp.signal.aborted) {
      await this.#wakeup.wait(STALL_CHECK_MS);
    }
    clearTimeout(deadline);
    this.#giveUp.abort();
  }
}
