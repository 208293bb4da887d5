// The load generator of the auth benchmarks: one process, one pool of connections, requests that
// wait for nothing but their answers.
import { type Dispatcher, Pool } from 'undici';
import { quantile } from '../figures.ts';
import { createScenario } from './scenario.ts';
import type { LoadReport, LoadOptions } from './load-report.ts';

interface Tally {
  answered: number;
  refused: Record<number, number>;
  latenciesMs: number[];
}

async function run(options: LoadOptions): Promise<LoadReport> {
  const { inFlight } = options;
  const pool = new Pool(options.origin, { connections: inFlight, pipelining: 1 });
  const scenario = createScenario(options);
  const tally: Tally = { answered: 0, refused: {}, latenciesMs: [] };
  const countFromMs = performance.now() + options.warmUpSeconds * 1000;
  const endMs = countFromMs + options.seconds * 1000;

  const client = async (number: number) => {
    for (;;) {
      const sentMs = performance.now();
      if (sentMs >= endMs) return;
      const { request, take } = scenario(number);
      const answer = await send(pool, request);
      take(answer);
      const nowMs = performance.now();
      if (nowMs < countFromMs || nowMs > endMs) continue;
      const { status } = answer;
      if (status >= 200 && status < 300) tally.answered += 1;
      else tally.refused[status] = (tally.refused[status] ?? 0) + 1;
      tally.latenciesMs.push(nowMs - sentMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, number) => client(number)));
  await pool.close();
  return {
    perSecond: tally.answered / options.seconds,
    refused: tally.refused,
    p99Ms: quantile(tally.latenciesMs, 0.99),
  };
}

/** undici's lowest level: no streams, the body is dropped. */
function send(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
): Promise<{ status: number; headers: Record<string, string | string[] | undefined> }> {
  return new Promise((resolve, reject) => {
    const answer = { status: 0, headers: {} };
    pool.dispatch(request, {
      onRequestStart: () => undefined,
      onResponseData: () => undefined,
      onResponseStart(_controller, status, headers) {
        answer.status = status;
        answer.headers = headers;
      },
      onResponseEnd: () => resolve(answer),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

process.on('message', (options: LoadOptions) => {
  void run(options).then((report) => {
    process.send?.(report);
    process.disconnect();
  });
});
process.send?.({ ready: true });
