import type { FastifyRequest } from 'fastify';
import { accountOf } from './authentication/authentication.ts';
import { badRequest, tooManyRequests } from './http-error.ts';

const WAITING_MAX = 20;
/** An account rests this many times as long as its last work took. */
const REST_FACTOR = 3;
/** So that twenty searches of a second each end before their clients give up after 30 s. */
const REST_MAX_MS = 250;

export interface AccountGate {
  /** Runs one piece of work of an account at a time; others wait their turn. */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Keeps one account from taking the connections and the processor that others need too, in this process:
 * while work of others runs, an account rests before it goes on with work that has waited.
 */
export function createAccountGate(): AccountGate {
  /** For each account with work under way, or resting, what waits for it. */
  const queues = new Map<string, (() => void)[]>();
  /** Work under way; accounts that rest have none. */
  let running = 0;
  return {
    async run(accountId, work) {
      const waiting = queues.get(accountId);
      if (waiting === undefined) queues.set(accountId, []);
      else if (waiting.length >= WAITING_MAX) {
        throw tooManyRequests('Too many requests at once', 1);
      } else await new Promise<void>((resolve) => waiting.push(resolve));
      const start = performance.now();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        const next = queues.get(accountId)?.shift();
        if (next === undefined) queues.delete(accountId);
        else if (running === 0) next();
        else setTimeout(next, Math.min(REST_MAX_MS, REST_FACTOR * (performance.now() - start)));
      }
    },
  };
}

/**
 * Runs the work of a request in the turn of its account, unless its client is gone by then: whoever types sends
 * the next search before this one had its turn.
 *
 * @throws HttpError 429 when too many of the account wait
 */
export function runInTurn<Result>(
  gate: AccountGate,
  request: FastifyRequest,
  work: (accountId: string) => Promise<Result>,
): Promise<Result> {
  const { id } = accountOf(request);
  return gate.run(id, async () => {
    if (request.socket.destroyed) throw badRequest('The client has closed the connection');
    return work(id);
  });
}

/**
 * Runs batches, each in a turn of its own, until one finds nothing more to do. Once begun, they go on without the
 * client. Later batches are not refused, because the previous batch has just freed a slot.
 *
 * @param batch returns how much it has done
 * @returns how much all have done
 * @throws HttpError 429 when too many of the account wait for the first batch
 */
export async function runBatchesInTurn(
  gate: AccountGate,
  request: FastifyRequest,
  batch: () => Promise<number>,
): Promise<number> {
  let total = 0;
  let done = await runInTurn(gate, request, batch);
  while (done > 0) {
    total += done;
    done = await gate.run(accountOf(request).id, batch);
  }
  return total;
}
