import { Readable } from 'node:stream';
import type { Delivery } from '@atrium/contracts/deliveries';
import type { DeliveryStreamQuery } from '@atrium/contracts/delivery-stream';
import { sleep } from '@atrium/events/timing';
import type { Account, Authenticator } from '@atrium/service-kit/authentication';
import { tooManyRequests, unavailable } from '@atrium/service-kit/http-error';
import type { Logger } from '@atrium/service-kit/logger';
import { type Change, type ChangeLog, isAfter } from './change-log.ts';
import { FOLLOWED_REFRESH_MS } from './change-publisher.ts';

const POLL_MS = 200;
const HEARTBEAT_MS = 15_000;
const KEEP_OPEN_MS = 5_000;
/** By then every process has learned that the account is followed. */
const READY_MS = 2 * FOLLOWED_REFRESH_MS;
const STREAMS_PER_ACCOUNT = 10;
const STREAMS_MAX = 1_000;
/** What a slow reader may leave unread before its stream is closed, to be resumed. */
const UNREAD_MAX_BYTES = 262_144;
/** A change of more deliveries at once sends `reset` instead of each. */
const DELIVERIES_PER_POLL = 500;

interface Stream {
  account: Account;
  filter: DeliveryStreamQuery;
  body: Readable;
  position: string;
  readyAtMs: number;
  isReady: boolean;
}

export interface DeliveryStreamsDeps {
  log: ChangeLog;
  findDeliveries: (ids: readonly string[], accountId: string) => Promise<Delivery[]>;
  authenticator: Pick<Authenticator, 'isCurrent'>;
  logger: Logger;
}

/** The open streams of this process. One poll of Redis serves them all; without streams there is none. */
export class DeliveryStreams implements AsyncDisposable {
  readonly #deps: DeliveryStreamsDeps;
  readonly #streams = new Set<Stream>();
  readonly #stopped = new AbortController();
  #polling: Promise<void> | undefined;
  #isFailing = false;

  constructor(deps: DeliveryStreamsDeps) {
    this.#deps = deps;
  }

  /** @throws HttpError 429 when the account has too many streams, 503 when this process has */
  async open(
    account: Account,
    filter: DeliveryStreamQuery,
    lastEventId: string | undefined,
  ): Promise<Readable> {
    const own = [...this.#streams].filter((stream) => stream.account.id === account.id);
    if (own.length >= STREAMS_PER_ACCOUNT) throw tooManyRequests('Too many open streams', 60);
    if (this.#streams.size >= STREAMS_MAX || this.#stopped.signal.aborted) {
      throw unavailable('No further stream can be opened at the moment');
    }
    const body = new Readable({ read: () => undefined });
    const stream: Stream = {
      account,
      filter,
      body,
      position: '',
      readyAtMs: performance.now() + READY_MS,
      isReady: false,
    };
    // Before the first wait, so that streams that are opened at the same time count.
    this.#streams.add(stream);
    body.on('close', () => this.#streams.delete(stream));
    try {
      await this.#position(stream, lastEventId);
    } catch (error) {
      body.destroy();
      throw error;
    }
    this.#polling ??= this.#poll();
    return body;
  }

  async #position(stream: Stream, lastEventId: string | undefined): Promise<void> {
    const { log } = this.#deps;
    const { id } = stream.account;
    const { position } = await log.open(id);
    stream.body.push('retry: 1000\n\n');
    if (lastEventId === undefined) stream.position = position;
    else if (await log.reaches(id, lastEventId)) stream.position = lastEventId;
    else {
      stream.position = position;
      stream.body.push('event: reset\ndata: {}\n\n');
    }
  }

  async #poll(): Promise<void> {
    let heartbeatMs = performance.now();
    let keptOpenMs = performance.now();
    while (this.#streams.size > 0) {
      await sleep(POLL_MS, this.#stopped.signal);
      const nowMs = performance.now();
      this.#closeEnded();
      if (nowMs - heartbeatMs >= HEARTBEAT_MS) {
        heartbeatMs = nowMs;
        for (const { body } of this.#streams) body.push(': heartbeat\n\n');
      }
      try {
        if (nowMs - keptOpenMs >= KEEP_OPEN_MS) {
          await this.#keepOpen();
          keptOpenMs = nowMs;
        }
        await this.#sendChanges();
        this.#sendReady(nowMs);
        this.#isFailing = false;
      } catch (error) {
        // Positions stay where they are: what could not be read is read by a later poll.
        if (!this.#isFailing) {
          this.#deps.logger.warn({ err: error }, 'streams cannot be served, will try again');
        }
        this.#isFailing = true;
      }
    }
    this.#polling = undefined;
  }

  #closeEnded(): void {
    for (const { account, body } of this.#streams) {
      if (this.#stopped.signal.aborted || !this.#deps.authenticator.isCurrent(account)) {
        body.push(null);
        body.destroy();
      } else if (body.readableLength > UNREAD_MAX_BYTES) body.destroy();
    }
  }

  /** Redis may have lost the logs. */
  async #keepOpen(): Promise<void> {
    for (const accountId of new Set([...this.#streams].map(({ account }) => account.id))) {
      const { position, isNew } = await this.#deps.log.open(accountId);
      if (!isNew) continue;
      for (const stream of this.#streams) {
        if (stream.account.id !== accountId || stream.position === '') continue;
        stream.position = position;
        stream.body.push(`event: reset\ndata: {}\nid: ${position}\n\n`);
      }
    }
  }

  async #sendChanges(): Promise<void> {
    const byAccount = Map.groupBy(
      [...this.#streams].filter(({ position }) => position !== ''),
      ({ account }) => account.id,
    );
    if (byAccount.size === 0) return;
    const positions = new Map(
      [...byAccount].map(([accountId, streams]) => [accountId, earliest(streams)]),
    );
    for (const [accountId, changes] of await this.#deps.log.read(positions)) {
      const ids = new Set(changes.flatMap(({ deliveryIds }) => deliveryIds ?? []));
      const isTooMany = ids.size > DELIVERIES_PER_POLL;
      const deliveries =
        isTooMany || ids.size === 0 ? [] : await this.#deps.findDeliveries([...ids], accountId);
      for (const stream of byAccount.get(accountId) ?? []) {
        send(stream, changes, isTooMany ? undefined : deliveries);
      }
    }
  }

  #sendReady(nowMs: number): void {
    for (const stream of this.#streams) {
      if (stream.isReady || stream.position === '' || nowMs < stream.readyAtMs) continue;
      stream.isReady = true;
      stream.body.push(`event: ready\ndata: {}\nid: ${stream.position}\n\n`);
    }
  }

  /** Ends every stream; their readers resume at another process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    this.#closeEnded();
    await this.#polling;
  }
}

function earliest(streams: readonly Stream[]): string {
  const positions = streams.map(({ position }) => position);
  return positions.reduce((first, position) => (isAfter(first, position) ? position : first));
}

/** @param deliveries those that changed, as they are now; undefined when they are too many */
function send(
  stream: Stream,
  changes: readonly Change[],
  deliveries: readonly Delivery[] | undefined,
): void {
  const own = changes.filter(({ position }) => isAfter(position, stream.position));
  const last = own.at(-1);
  if (last === undefined) return;
  const { webhookId, state, event } = stream.filter;
  if (deliveries === undefined || own.some(({ deliveryIds }) => deliveryIds === undefined)) {
    stream.body.push('event: reset\ndata: {}\n\n');
  } else {
    const ids = new Set(own.flatMap(({ deliveryIds }) => deliveryIds ?? []));
    for (const delivery of deliveries) {
      const isWanted =
        ids.has(delivery.id) &&
        delivery.webhookId === (webhookId ?? delivery.webhookId) &&
        delivery.state === (state ?? delivery.state) &&
        delivery.event === (event ?? delivery.event);
      if (isWanted) stream.body.push(`event: delivery\ndata: ${JSON.stringify(delivery)}\n\n`);
    }
  }
  stream.position = last.position;
  // After all of its deliveries: a reader that resumes before it gets them again.
  stream.body.push(`id: ${last.position}\n\n`);
}
