import { tooManyRequests } from '@atrium/service-kit/http-error';

const RUNNING_MAX = 2;
const WAITING_MAX = 20;

export interface SearchGate {
  /** Runs at most two searches of an account at once; others wait their turn. */
  run<Result>(accountId: string, search: () => Promise<Result>): Promise<Result>;
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

/** Keeps one account from taking all the connections that searches have. */
export function createSearchGate(): SearchGate {
  const lines = new Map<string, Line>();
  return {
    async run(accountId, search) {
      const line = lines.get(accountId) ?? { running: 0, waiting: [] };
      lines.set(accountId, line);
      if (line.running < RUNNING_MAX) line.running += 1;
      else if (line.waiting.length >= WAITING_MAX) {
        throw tooManyRequests('Too many searches at once', 1);
      } else await new Promise<void>((resolve) => line.waiting.push(resolve));
      try {
        return await search();
      } finally {
        const next = line.waiting.shift();
        // The next search takes over the place of this one.
        if (next === undefined) line.running -= 1;
        else next();
        if (line.running === 0) lines.delete(accountId);
      }
    },
  };
}
