import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '@atrium/contracts/auth/tokens';
import { LRUCache } from 'lru-cache';

/** What a redirect needs to know about a link. */
export interface Target {
  slug: string;
  linkId: string;
  ownerId: string;
  ownerPlan: Plan;
  url: string;
}

export interface LinkCache {
  /**
   * The target of a slug; null when there is none. A cached link does not wait for the database: an entry older than
   * `ttlMs` is returned at once and refreshed in the background. Only one that may have missed a change for long is
   * read again first, if the database answers in time.
   */
  find(slug: string): Target | null | Promise<Target | null>;
  /** The target may have changed: the next `find` asks the database. */
  forget(slug: string): void;
  /** Changes may have been missed: every entry is read again when it is next used. */
  expireAll(): void;
}

interface Entry {
  target: Target;
  freshUntilMs: number;
}

/** 50,000 usual links, or 6,000 with the longest targets. */
const BYTES_MAX = 16 * 1024 ** 2;
/** What an entry takes besides its target's URL. */
const ENTRY_BYTES = 300;
/** An entry that nobody has used for so long after its time may lead to where its owner no longer wants. */
const UNUSED_MAX_MS = 60_000;
/** How long a redirect waits for the database before it goes on to the old target. */
const WAIT_MAX_MS = 200;

/** Unknown slugs are not cached: trying out slugs must not evict the links that people use. */
export function createLinkCache(options: {
  load: (slug: string) => Promise<Target | null>;
  /** Called when a refresh in the background failed; the old entry stays. */
  onRefreshFailed: (error: unknown) => void;
  clockMs: () => number;
  ttlMs?: number | undefined;
  bytesMax?: number;
}): LinkCache {
  const { load, onRefreshFailed, clockMs, ttlMs = 5_000, bytesMax = BYTES_MAX } = options;
  const entries = new LRUCache<string, Entry>({
    maxSize: bytesMax,
    sizeCalculation: ({ target }) => ENTRY_BYTES + target.url.length,
  });
  const loading = new Map<string, Promise<Target | null>>();

  /** Concurrent lookups of one slug share one query. */
  function loadOnce(slug: string): Promise<Target | null> {
    const running = loading.get(slug);
    if (running !== undefined) return running;
    const mine: Promise<Target | null> = load(slug)
      .then((target) => {
        // Forgotten meanwhile: the result may be older than the change.
        if (loading.get(slug) !== mine) return target;
        if (target === null) entries.delete(slug);
        // Its own slug: that of the request is a slice of the whole URL, which it would keep in memory.
        else entries.set(target.slug, { target, freshUntilMs: clockMs() + ttlMs });
        return target;
      })
      .finally(() => {
        if (loading.get(slug) === mine) loading.delete(slug);
      });
    loading.set(slug, mine);
    return mine;
  }

  async function loadInTime(slug: string, entry: Entry): Promise<Target | null> {
    const loaded = loadOnce(slug).catch((error: unknown) => {
      onRefreshFailed(error);
      return entry.target;
    });
    const found = await Promise.race([loaded, sleep(WAIT_MAX_MS, entry.target, { ref: false })]);
    // While the database is away, only the first redirects wait.
    entry.freshUntilMs = clockMs() + ttlMs;
    return found;
  }

  return {
    find(slug) {
      const entry = entries.get(slug);
      if (entry === undefined) return loadOnce(slug);
      const expiredMs = clockMs() - entry.freshUntilMs;
      if (expiredMs >= UNUSED_MAX_MS) return loadInTime(slug, entry);
      if (expiredMs >= 0) {
        entry.freshUntilMs = clockMs() + ttlMs;
        loadOnce(slug).catch(onRefreshFailed);
      }
      return entry.target;
    },
    forget(slug) {
      entries.delete(slug);
      loading.delete(slug);
    },
    expireAll() {
      for (const entry of entries.values()) entry.freshUntilMs = -Infinity;
    },
  };
}
