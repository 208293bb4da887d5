import type { Readable } from 'node:stream';
import type { Delivery } from '@atrium/contracts/webhooks/deliveries';
import type { DeliveryStreamQuery } from '@atrium/contracts/webhooks/delivery-stream';
import type { Authenticator } from '@atrium/service-kit/authentication';
import {
  type EventStream,
  EventStreams,
  type StreamReader,
} from '@atrium/service-kit/event-streams';
import type { Logger } from '@atrium/service-kit/logger';
import { type Change, type ChangeLog, isAfter } from './change-log.ts';
import { FOLLOWED_REFRESH_MS } from './change-publisher.ts';

const POLL_MS = 200;
const KEEP_OPEN_MS = 5_000;
/** By then every process has learned that the account is followed. */
const READY_MS = 2 * FOLLOWED_REFRESH_MS;
/** A change of more deliveries at once sends `reset` instead of each. */
const DELIVERIES_PER_POLL = 500;

type Stream = EventStream<{
  filter: DeliveryStreamQuery;
  /** Empty until it is known. */
  position: string;
  readyAtMs: number;
  isReady: boolean;
}>;

export interface DeliveryStreamsDeps {
  log: ChangeLog;
  findDeliveries: (ids: readonly string[], accountId: string) => Promise<Delivery[]>;
  /** Before an account is told of a change, so that what it then reads is not older: see `ReadReplica`. */
  onChange?: ((accountId: string) => Promise<void>) | undefined;
  authenticator: Pick<Authenticator, 'isCurrent'>;
  logger: Logger;
}

/** The open streams of this process. One poll of Redis serves them all. */
export class DeliveryStreams implements AsyncDisposable {
  readonly #deps: DeliveryStreamsDeps;
  readonly #streams: EventStreams<Omit<Stream, keyof StreamReader | 'body'>>;
  #keptOpenMs = performance.now();

  constructor(deps: DeliveryStreamsDeps) {
    this.#deps = deps;
    const { authenticator, logger } = deps;
    const poll = (streams: ReadonlySet<Stream>) => this.#poll(streams);
    this.#streams = new EventStreams({ authenticator, logger, pollMs: POLL_MS, poll });
  }

  /** @throws HttpError 429 when the reader has too many streams, 503 when this process has */
  async open(
    reader: StreamReader,
    filter: DeliveryStreamQuery,
    lastEventId: string | undefined,
  ): Promise<Readable> {
    const readyAtMs = performance.now() + READY_MS;
    const stream = this.#streams.open(reader, { filter, position: '', readyAtMs, isReady: false });
    try {
      await this.#position(stream, lastEventId);
    } catch (error) {
      stream.body.destroy();
      throw error;
    }
    return stream.body;
  }

  async #position(stream: Stream, lastEventId: string | undefined): Promise<void> {
    const { log } = this.#deps;
    const { id } = stream.account;
    const { position } = await log.open(id);
    if (lastEventId === undefined) stream.position = position;
    else if (await log.reaches(id, lastEventId)) stream.position = lastEventId;
    else {
      stream.position = position;
      await this.#deps.onChange?.(id);
      stream.body.push('event: reset\ndata: {}\n\n');
    }
  }

  async #poll(all: ReadonlySet<Stream>): Promise<void> {
    const streams = [...all].filter(({ position }) => position !== '');
    const nowMs = performance.now();
    if (nowMs - this.#keptOpenMs >= KEEP_OPEN_MS) {
      await this.#keepOpen(streams);
      this.#keptOpenMs = nowMs;
    }
    await this.#sendChanges(streams);
    await this.#sendReady(streams, nowMs);
  }

  /** Redis may have lost the logs. */
  async #keepOpen(streams: readonly Stream[]): Promise<void> {
    for (const accountId of new Set(streams.map(({ account }) => account.id))) {
      const { position, isNew } = await this.#deps.log.open(accountId);
      if (!isNew) continue;
      await this.#deps.onChange?.(accountId);
      for (const stream of streams) {
        if (stream.account.id !== accountId) continue;
        stream.position = position;
        stream.body.push(`event: reset\ndata: {}\nid: ${position}\n\n`);
      }
    }
  }

  async #sendChanges(streams: readonly Stream[]): Promise<void> {
    const byAccount = Map.groupBy(streams, ({ account }) => account.id);
    if (byAccount.size === 0) return;
    const positions = new Map([...byAccount].map(([accountId, own]) => [accountId, earliest(own)]));
    for (const [accountId, changes] of await this.#deps.log.read(positions)) {
      const ids = new Set(changes.flatMap(({ deliveryIds }) => deliveryIds ?? []));
      const isTooMany = ids.size > DELIVERIES_PER_POLL;
      const deliveries =
        isTooMany || ids.size === 0 ? [] : await this.#deps.findDeliveries([...ids], accountId);
      await this.#deps.onChange?.(accountId);
      for (const stream of byAccount.get(accountId) ?? []) {
        send(stream, changes, isTooMany ? undefined : deliveries);
      }
    }
  }

  /** Whoever reads the lists now misses nothing: what changes later is sent. */
  async #sendReady(streams: readonly Stream[], nowMs: number): Promise<void> {
    const ready = streams.filter(({ isReady, readyAtMs }) => !isReady && nowMs >= readyAtMs);
    const accountIds = new Set(ready.map(({ account }) => account.id));
    await Promise.all([...accountIds].map(async (id) => this.#deps.onChange?.(id)));
    for (const stream of ready) {
      stream.isReady = true;
      stream.body.push(`event: ready\ndata: {}\nid: ${stream.position}\n\n`);
    }
  }

  /** Ends every stream; their readers resume at another process. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#streams[Symbol.asyncDispose]();
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
