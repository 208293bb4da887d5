import { tooManyRequests } from '@atrium/service-kit/http-error';

const WAITING_MAX = 20;

export interface SearchGate {
  /** Runs one search of an account at a time; others wait their turn. */
  run<Result>(accountId: string, search: () => Promise<Result>): Promise<Result>;
}

/** Keeps one account from slowing down the searches of the others. */
export function createSearchGate(): SearchGate {
  /** Of each account with a search under way, those that wait for it. */
  const queues = new Map<string, (() => void)[]>();
  return {
    async run(accountId, search) {
      const waiting = queues.get(accountId);
      if (waiting === undefined) queues.set(accountId, []);
      else if (waiting.length >= WAITING_MAX) {
        throw tooManyRequests('Too many searches at once', 1);
      } else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await search();
      } finally {
        const next = queues.get(accountId)?.shift();
        if (next === undefined) queues.delete(accountId);
        else next();
      }
    },
  };
}
