import { type AddressLimit, BusyAddressError } from '../address-limit.ts';
import { faultOf, type SendResult } from '../send.ts';
import type { Link, OpenLink } from './link.ts';
import type { DestinationMessage } from '../destination-message.ts';
import type { SocketTarget } from './socket-target.ts';

const LINKS_MAX = 1_000;
const SWEEP_MS = 10_000;
const IDLE_LINK_MS = 60_000;

export interface LinksOptions {
  /** One deadline over connecting, sending and the confirmation. */
  timeoutMs: number;
  addressLimit: AddressLimit;
}

interface Entry {
  target: SocketTarget;
  opening: Promise<Link>;
  abort: AbortController;
  /** Once it is open. */
  link: Link | undefined;
  activeCount: number;
  lastUsedMs: number;
}

class ShutdownError extends Error {
  override name = 'ShutdownError';
}

/** The brokers do not speak of a status: this is the one of a message that they have confirmed. */
const CONFIRMED = { kind: 'response', status: 200, headers: null, excerpt: null } as const;

/** One connection for each subscription; at most 1,000 that are idle, and each for a minute. */
export class Links implements AsyncDisposable {
  readonly #options: LinksOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #inFlight = new Set<(error: Error) => void>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#closeIdle(IDLE_LINK_MS), SWEEP_MS);
    this.#sweep.unref();
  }

  async send(
    message: DestinationMessage,
    target: SocketTarget,
    open: OpenLink,
  ): Promise<SendResult> {
    const { timeoutMs } = this.#options;
    const startedMs = performance.now();
    // Changed settings have another sealed form, so they get another connection.
    const key = `${message.subscriptionId} ${message.url} ${message.sealedDestination}`;
    const entry = this.#entryOf(key, target, open);
    entry.activeCount += 1;
    const { promise: cut, reject } = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error(`No confirmation within ${timeoutMs} ms`));
    }, timeoutMs);
    this.#inFlight.add(reject);
    let answer: SendResult['answer'] = CONFIRMED;
    try {
      await Promise.race([cut, this.#sendOn(entry, message)]);
    } catch (error) {
      answer =
        error instanceof ShutdownError
          ? { kind: 'postponed', cause: 'shutdown', reason: error.message }
          : faultOf(error instanceof Error ? error : new Error(String(error)));
      if (isLate || entry.link?.isOpen() !== true) this.#drop(key, entry);
    } finally {
      clearTimeout(timer);
      this.#inFlight.delete(reject);
      entry.activeCount -= 1;
      entry.lastUsedMs = performance.now();
      if (this.#entries.get(key) !== entry) closeUnused(entry);
    }
    return { answer, durationMs: Math.round(performance.now() - startedMs) };
  }

  async #sendOn(entry: Entry, message: DestinationMessage): Promise<void> {
    const { addressLimit } = this.#options;
    const link = await entry.opening;
    const addresses = entry.target.limitedAddresses;
    if (!addressLimit.enter(addresses, message.accountId)) throw new BusyAddressError();
    try {
      await link.send(message);
    } finally {
      addressLimit.leave(addresses, message.accountId);
    }
  }

  #entryOf(key: string, target: SocketTarget, open: OpenLink): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      if (known.link?.isOpen() !== false) return known;
      this.#drop(key, known);
    }
    if (this.#entries.size >= LINKS_MAX) this.#closeIdle(0);
    const abort = new AbortController();
    const entry: Entry = {
      target,
      opening: open(target, abort.signal).then((link) => (entry.link = link)),
      abort,
      link: undefined,
      activeCount: 0,
      lastUsedMs: performance.now(),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Takes no more messages; closed once those that are on it have their answer. */
  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    closeUnused(entry);
  }

  #closeIdle(idleMs: number): void {
    const usedBeforeMs = performance.now() - idleMs;
    for (const [key, entry] of this.#entries) {
      if (entry.activeCount === 0 && entry.lastUsedMs <= usedBeforeMs) this.#drop(key, entry);
    }
  }

  /** Postpones what is in flight and closes every connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep);
    for (const reject of this.#inFlight) reject(new ShutdownError('The worker was stopped'));
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(close));
  }
}

function closeUnused(entry: Entry): void {
  if (entry.activeCount === 0) void close(entry);
}

async function close({ link, abort }: Entry): Promise<void> {
  await link?.close();
  abort.abort();
}
