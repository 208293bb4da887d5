import { currentHolder } from '../holder.ts';

interface Share {
  taken: number;
  waiting: (() => void)[];
}

/** Limits how many slots each holder has at once, so that no account takes what others need. */
export class Shares {
  readonly #most: number;
  readonly #timeoutMs: number;
  readonly #shares = new Map<string, Share>();

  /** @param timeoutMs how long work waits for a slot */
  constructor(most: number, timeoutMs: number) {
    this.#most = most;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Takes a slot for the holder that this work is for, if it is for one.
   *
   * @returns what frees the slot, once
   * @throws Error as pg does, when none is free in time
   */
  async take(): Promise<() => void> {
    const holder = currentHolder();
    if (holder === undefined) return () => undefined;
    const share = this.#shares.get(holder) ?? { taken: 0, waiting: [] };
    this.#shares.set(holder, share);
    if (share.taken < this.#most) share.taken += 1;
    else await this.#wait(share);
    return () => {
      const next = share.waiting.shift();
      if (next !== undefined) next();
      else if ((share.taken -= 1) === 0) this.#shares.delete(holder);
    };
  }

  #wait(share: Share): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      share.waiting.splice(share.waiting.indexOf(begin), 1);
      reject(new Error('timeout exceeded when trying to connect'));
    }, this.#timeoutMs);
    share.waiting.push(begin);
    return promise;
  }
}
