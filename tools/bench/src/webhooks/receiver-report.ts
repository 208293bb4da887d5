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
  report(request?: 'report' | 'latencies'): Promise<Report>;
  /** Resolves when it has got this many requests since the last reset. */
  waitFor(count: number, timeoutMs: number): Promise<Report>;
}

/** A referrer by which the receiver recognises an event, and when it was made (Unix time). */
export function referrerOf(n: number, atMs: number): string {
  return `https://bench.example/?n=${n}&atMs=${atMs}`;
}

/** The interface to a receiver process. */
export async function receiverOf(child: Child): Promise<Receiver> {
  const { port } = await child.next<{ port: number }>('port');
  const ask = (request: 'report' | 'reset' | 'latencies'): Promise<Report> => {
    const answer = child.next<Report & Record<typeof request, true>>(request);
    child.process.send(request);
    return answer;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    reset: async () => void (await ask('reset')),
    report: (request = 'report') => ask(request),
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
