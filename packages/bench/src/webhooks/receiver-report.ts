import type { Child } from '../child.ts';

export interface Report {
  received: number;
  /** Different events among them. */
  distinct: number;
  /** Unix times in milliseconds. */
  firstMs: number;
  lastMs: number;
  latenciesMs?: number[];
}

export interface Receiver extends AsyncDisposable {
  origin: string;
  reset(): Promise<void>;
  report(wish?: 'latencies'): Promise<Report>;
  /** Resolves when it has got this many requests since the last reset. */
  waitFor(count: number, timeoutMs: number): Promise<Report>;
}

/** Talks to a receiver process. */
export async function receiverOf(child: Child): Promise<Receiver> {
  const port = await child.next((message) =>
    isObject(message) && typeof message['port'] === 'number' ? message['port'] : undefined,
  );
  const ask = (wish: string): Promise<Report> => {
    const isAnswer = (report: Report) =>
      (wish === 'latencies') === (report.latenciesMs !== undefined);
    const answer = child.next((message) =>
      isReport(message) && isAnswer(message) ? message : undefined,
    );
    child.process.send(wish);
    return answer;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    reset: async () => void (await ask('reset')),
    report: (wish) => ask(wish ?? 'report'),
    async waitFor(count, timeoutMs) {
      const endMs = performance.now() + timeoutMs;
      for (;;) {
        const report = await ask('report');
        if (report.received >= count) return report;
        if (performance.now() > endMs) {
          throw new Error(`${report.received} of ${count} arrived within ${timeoutMs} ms`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [Symbol.asyncDispose]: () => child.stop(),
  };
}

function isObject(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null;
}

function isReport(message: unknown): message is Report {
  return isObject(message) && typeof message['received'] === 'number';
}
