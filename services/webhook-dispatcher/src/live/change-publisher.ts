import { sleep, Wakeup } from '@atrium/events/timing';
import type { Logger } from '@atrium/service-kit/logger';
import type { ChangeLog } from './change-log.ts';

/** How soon a process knows that an account is followed. */
export const FOLLOWED_REFRESH_MS = 500;
/** Changes that come together are published together. */
const COLLECT_MS = 50;
/** More are published as one entry without ids. */
const IDS_HELD_MAX = 501;
/** Held until a process that starts knows which accounts are followed. */
const ACCOUNTS_HELD_MAX = 10_000;

/** Deliveries of this account have changed. Costs one look-up unless the account is followed. */
export type PublishChanges = (accountId: string, deliveryIds: readonly string[]) => void;

export interface ChangePublisher extends AsyncDisposable {
  publish: PublishChanges;
}

/**
 * Publishes changes to the logs of followed accounts. What Redis does not take is kept and published
 * later, so that a log never lacks a change between two that it has.
 */
export function startChangePublisher(
  log: Pick<ChangeLog, 'listFollowed' | 'append'>,
  logger: Logger,
): ChangePublisher {
  let followed: ReadonlySet<string> | undefined;
  let changed = new Map<string, Set<string>>();
  let refreshedMs = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let isStopped = false;
  const wakeup = new Wakeup();
  const stopped = new AbortController();

  async function flush(): Promise<void> {
    if (changed.size === 0) return;
    const batch = [...changed].filter(([accountId]) => followed?.has(accountId));
    changed = new Map();
    if (batch.length === 0) return;
    try {
      await log.append(new Map(batch.map(([accountId, ids]) => [accountId, [...ids]])));
    } catch (error) {
      for (const [accountId, ids] of batch) hold(accountId, [...ids]);
      throw error;
    }
  }

  async function refresh(): Promise<void> {
    if (performance.now() - refreshedMs < FOLLOWED_REFRESH_MS) return;
    followed = new Set(await log.listFollowed());
    refreshedMs = performance.now();
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        await refresh();
        await flush();
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ err: error }, 'changes not published, will try again');
        isFailing = true;
      }
      await wakeup.wait(FOLLOWED_REFRESH_MS);
      if (!isStopped) await sleep(COLLECT_MS, stopped.signal);
    }
    // The last attempts of a worker that shuts down.
    await flush().catch((error: unknown) => logger.warn({ err: error }, 'changes not published'));
  }

  function hold(accountId: string, deliveryIds: readonly string[]): void {
    let ids = changed.get(accountId);
    if (ids === undefined) {
      ids = new Set();
      changed.set(accountId, ids);
    }
    for (const id of deliveryIds) {
      if (ids.size < IDS_HELD_MAX) ids.add(id);
    }
  }

  const running = run();
  return {
    publish(accountId, deliveryIds) {
      if (followed === undefined ? changed.size >= ACCOUNTS_HELD_MAX : !followed.has(accountId)) {
        return;
      }
      hold(accountId, deliveryIds);
      wakeup.notify();
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      stopped.abort();
      wakeup.notify();
      await running;
    },
  };
}
