import { tooManyRequests } from '@atrium/service-kit/http-error';

const RUNNING_MAX = 2;
const WAITING_MAX = 20;

export interface SearchGate {
  /** Runs at most two searches of an account at once; others wait their turn. */
  run<Result>(accountId: string, search: () => Promise<Result>): Promise<Result>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/** Keeps one account from taking all the connections that searches have. */
export function createSearchGate(): SearchGate {
  const queues = new Map<string, Queue>();
  return {
    async run(accountId, search) {
      const queue = queues.get(accountId) ?? { running: 0, waiting: [] };
      queues.set(accountId, queue);
      if (queue.running < RUNNING_MAX) queue.running += 1;
      else if (queue.waiting.length >= WAITING_MAX) {
        throw tooManyRequests('Too many searches at once', 1);
      } else await new Promise<void>((resolve) => queue.waiting.push(resolve));
      try {
        return await search();
      } finally {
        const next = queue.waiting.shift();
        // The next search takes over the slot of this one.
        if (next === undefined) queue.running -= 1;
        else next();
        if (queue.running === 0) queues.delete(accountId);
      }
    },
  };
}
