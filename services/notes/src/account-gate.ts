import { tooManyRequests } from '@atrium/service-kit/http-error';

const WAITING_MAX = 20;

export interface AccountGate {
  /** Runs one piece of work of an account at a time; others wait their turn. */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/** Keeps one account from taking the connections that others need too, in this process. */
export function createAccountGate(): AccountGate {
  /** Of each account with work under way, those that wait for it. */
  const queues = new Map<string, (() => void)[]>();
  return {
    async run(accountId, work) {
      const waiting = queues.get(accountId);
      if (waiting === undefined) queues.set(accountId, []);
      else if (waiting.length >= WAITING_MAX) {
        throw tooManyRequests('Too many requests at once', 1);
      } else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = queues.get(accountId)?.shift();
        if (next === undefined) queues.delete(accountId);
        else next();
      }
    },
  };
}
