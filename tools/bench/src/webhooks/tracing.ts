import { once } from 'node:events';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { cpuSecondsOf } from '../cpu-time.ts';
import type { Figures } from '../figures.ts';
import { CONNECTIONS, createLinks, followAt, untilRedirecting } from './click.ts';
import type { Environment } from './environment.ts';

const RATE_PER_SECOND = 200;
const SECONDS = 10;
/** In turn, so that a machine that gets busier does so for all. */
const ROUNDS = 3;
const ARRIVAL_TIMEOUT_MS = 120_000;
const SHARES = { off: undefined, '10 %': '0.1', '100 %': '1' };

/** CPU of links and worker for a click, from the request to the POST, without traces and with them. */
export async function tracing(environment: Environment): Promise<Figures> {
  await using collector = await startCollector();
  const slugs = await createLinks(environment);
  const used: Record<string, Record<string, number>> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, share] of Object.entries(SHARES)) {
      const spent = await measure(environment, slugs, {
        ...(share !== undefined && {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_TRACES_SAMPLER_ARG: share,
        }),
      });
      for (const [process, seconds] of Object.entries(spent)) {
        const sums = (used[process] ??= {});
        sums[name] = (sums[name] ?? 0) + seconds / ROUNDS;
      }
    }
  }
  const figures: Figures = {};
  for (const [process, byShare] of Object.entries(used)) {
    const off = byShare['off'] ?? NaN;
    for (const [name, seconds] of Object.entries(byShare)) {
      figures[`${process} CPU s / 1,000, traces ${name}`] = seconds;
      if (name !== 'off') figures[`${process}: ${name} costs, %`] = (seconds / off - 1) * 100;
    }
  }
  figures['batches of spans'] = collector.requests();
  return figures;
}

/** CPU seconds of each process for a thousand clicks. */
async function measure(
  environment: Environment,
  slugs: readonly string[],
  env: Record<string, string>,
): Promise<Record<string, number>> {
  const { receiver } = environment;
  await using running = new AsyncDisposableStack();
  const worker = running.use(await environment.startWorker(env));
  const { child: links, origin } = await environment.startLinks(env);
  running.use(links);
  await untilRedirecting(`${origin}/${slugs[0]}`, links);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  running.defer(() => pool.close());
  const click = async (seconds: number) => {
    await receiver.reset();
    const count = await followAt(pool, slugs, { rate: RATE_PER_SECOND, seconds });
    await receiver.waitFor(count, ARRIVAL_TIMEOUT_MS);
    return count;
  };
  await click(3);
  const pids = { links: links.pid, worker: worker.pid };
  const before = await cpuSecondsOf(pids);
  const count = await click(SECONDS);
  const after = await cpuSecondsOf(pids);
  const entries = Object.entries(after).map(
    ([name, seconds]) => [name, ((seconds - (before[name] ?? NaN)) / count) * 1000] as const,
  );
  const both = entries.reduce((sum, [, seconds]) => sum + seconds, 0);
  return { ...Object.fromEntries(entries), both };
}

/** Takes everything and keeps nothing. */
async function startCollector() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().once('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
