/** What a redirect needs to know about a link. */
export interface Target {
  linkId: string;
  ownerId: string;
  url: string;
}

export interface LinkCache {
  /**
   * Where a slug leads; null when nowhere. Once a link is cached this never waits for the database:
   * an entry older than `ttlMs` is answered at once and looked up again behind the answer.
   */
  find(slug: string): Target | null | Promise<Target | null>;
  /** The slug may lead elsewhere now: the next `find` asks the database. */
  forget(slug: string): void;
  /** Changes may have been missed: every entry is looked up again when it is next used. */
  expireAll(): void;
}

interface Entry {
  target: Target;
  freshUntilMs: number;
}

/**
 * A bounded cache of the links that are used most recently. Slugs that lead nowhere are not kept:
 * trying out slugs must not push out the links that people use.
 */
export function createLinkCache(options: {
  load: (slug: string) => Promise<Target | null>;
  /** Told when a look-up behind an answer failed; the old entry stays. */
  onRefreshFailed: (error: unknown) => void;
  clockMs: () => number;
  ttlMs?: number;
  maxEntries?: number;
}): LinkCache {
  const { load, onRefreshFailed, clockMs, ttlMs = 5_000, maxEntries = 20_000 } = options;
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Target | null>>();

  function keep(slug: string, target: Target | null): void {
    entries.delete(slug);
    if (target === null) return;
    entries.set(slug, { target, freshUntilMs: clockMs() + ttlMs });
    const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
  }

  /** Many visitors of one slug at one time make one look-up. */
  function loadOnce(slug: string): Promise<Target | null> {
    const running = loading.get(slug);
    if (running !== undefined) return running;
    const mine: Promise<Target | null> = load(slug)
      .then((target) => {
        // Forgotten while it was on its way: what was read may be older than the change.
        if (loading.get(slug) === mine) keep(slug, target);
        return target;
      })
      .finally(() => {
        if (loading.get(slug) === mine) loading.delete(slug);
      });
    loading.set(slug, mine);
    return mine;
  }

  return {
    find(slug) {
      const entry = entries.get(slug);
      if (entry === undefined) return loadOnce(slug);
      entries.delete(slug);
      entries.set(slug, entry);
      if (clockMs() >= entry.freshUntilMs) {
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
      for (const entry of entries.values()) entry.freshUntilMs = 0;
    },
  };
}
