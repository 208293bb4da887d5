import { tooManyRequests, unavailable } from '../http-error.ts';

const RETRY_AFTER_SECONDS = 1;

export interface ByteLimits {
  processBytes: number;
  /** What only holders who have little may take of it; the rest is for all. */
  smallOnlyBytes: number;
  /** The most that one holder has, and all holders of one site. */
  holderBytes: number;
  /** The most that a holder who has little has in all. */
  smallBytes: number;
  /** The most that the site of a holder who has little has in all. */
  smallSiteBytes: number;
}

export interface Holder {
  /** An account with a verified email address or, without one, a network. */
  id: string;
  /** What the network belongs to. */
  site?: string;
}

/** Memory that is taken of a budget. */
export interface Reservation {
  readonly bytes: number;
  /**
   * A reservation that becomes smaller is never refused.
   *
   * @throws HttpError 429 when its holder has too much, 503 when all together have
   */
  resize(bytes: number): void;
}

/** The budget that a reservation exceeds. */
export type BudgetScope = 'account' | 'process';

/**
 * Counts the memory of what is in flight, for this process and for each holder, so that neither many nor one
 * can take more than its heap has.
 */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #onRefused: (by: BudgetScope) => void;
  readonly #byHolder = new Map<string, number>();
  readonly #bySite = new Map<string, number>();
  #usedBytes = 0;

  constructor(limits: ByteLimits, onRefused: (by: BudgetScope) => void = () => undefined) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** A reservation of nothing yet. */
  open(holder: Holder): Reservation {
    let reserved = 0;
    return {
      get bytes() {
        return reserved;
      },
      resize: (bytes) => {
        this.#take(holder, bytes - reserved);
        reserved = bytes;
      },
    };
  }

  #take({ id, site = id }: Holder, bytes: number): void {
    const { processBytes, smallOnlyBytes, holderBytes, smallBytes, smallSiteBytes } = this.#limits;
    const ofHolder = (this.#byHolder.get(id) ?? 0) + bytes;
    const ofSite = (this.#bySite.get(site) ?? 0) + bytes;
    const ofProcess = this.#usedBytes + bytes;
    if (bytes > 0) {
      // A site has at least what each of its holders has.
      if (ofSite > holderBytes) {
        this.#onRefused('account');
        throw tooManyRequests('Too much data at the same time', RETRY_AFTER_SECONDS);
      }
      const isSmall = ofHolder <= smallBytes && ofSite <= smallSiteBytes;
      if (ofProcess > processBytes - (isSmall ? 0 : smallOnlyBytes)) {
        this.#onRefused('process');
        throw unavailable('The service handles too much data now', RETRY_AFTER_SECONDS);
      }
    }
    this.#usedBytes = ofProcess;
    keep(this.#byHolder, id, ofHolder);
    keep(this.#bySite, site, ofSite);
  }
}

function keep(bytes: Map<string, number>, key: string, sum: number): void {
  if (sum === 0) bytes.delete(key);
  else bytes.set(key, sum);
}
