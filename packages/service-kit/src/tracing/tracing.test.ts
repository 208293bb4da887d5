import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@atrium/contracts/ids';
import { type Collector, startCollector } from '@atrium/testkit/collector';
import { startReceiver } from '@atrium/testkit/receiver';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import { readConfig, tracingConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import { SpanQueue } from './span-queue.ts';
import { openTracing } from './tracing.ts';

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const traced = newId('usr');

/** A server of which nothing is sampled by chance. */
async function startTraced(collector: Collector, trustedNetworks: string[] = []) {
  const metrics = createMetrics({ exemplars: true });
  const tracing = await openTracing({
    config: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: 0,
      TRACE_ACCOUNTS: [traced],
      TRACE_TRUSTED_NETWORKS: trustedNetworks,
    },
    service: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
    metrics,
  });
  const app = await startTestServer(
    (server) => {
      server.get('/fine', () => ({}));
      server.get('/broken', () => {
        throw new Error('broken');
      });
      server.get('/written', (request) => ({
        traceparent: tracing?.traceparentFor({ requestId: request.id }, traced),
      }));
    },
    { tracing, metrics },
  );
  return { ...app, metrics, stop: () => tracing?.[Symbol.asyncDispose]() };
}

test('a stranger cannot have a request traced, and one that fails is traced with a link to theirs', async () => {
  await using collector = await startCollector();
  await using app = await startTraced(collector);
  await fetch(`${app.origin}/fine`, { headers: { traceparent } });
  await fetch(`${app.origin}/broken`, { headers: { traceparent } });
  await app.stop();
  const [span, ...more] = collector.spans();
  expect(more).toEqual([]);
  expect(span).toMatchObject({ name: 'GET /broken', statusCode: 2, links: [CALLER] });
  expect([span?.parentSpanId, span?.traceId === CALLER.traceId]).toEqual([undefined, false]);
});

test('the trace of a trusted caller goes on, in the log and as an example in the metrics too', async () => {
  await using collector = await startCollector();
  await using app = await startTraced(collector, ['127.0.0.0/8']);
  await fetch(`${app.origin}/fine`, { headers: { traceparent } });
  await app.stop();
  const [span] = collector.spans();
  expect(span).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId });
  const line = app.logs.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request');
  expect(line).toMatchObject({ trace_id: CALLER.traceId, span_id: span?.spanId });
  expect(await app.metrics.metrics()).toContain(`# {trace_id="${CALLER.traceId}"`);
});

test('what is done for an account that is always traced carries a sampled trace, request and all', async () => {
  await using collector = await startCollector();
  await using app = await startTraced(collector);
  const response = await fetch(`${app.origin}/written`);
  const body = await response.json();
  await app.stop();
  const [span] = collector.spans();
  expect(body).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` });
});

test('headers for the collector may come from a file', async () => {
  await using collector = await startReceiver();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-tracing-'));
  const file = join(folder, 'headers');
  try {
    await writeFile(file, 'authorization=Bearer%20s3cr3t, x-team=atrium\n');
    const config = readConfig(Type.Object(tracingConfig), {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace(/\/$/, ''),
      OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
      OTEL_TRACES_SAMPLER_ARG: '1',
    });
    const logger = createLogger({ service: 'test', level: 'silent' });
    const tracing = await openTracing({
      config,
      service: 'test',
      logger,
      metrics: createMetrics(),
    });
    tracing?.traceparentFor({ job: 'job' }, traced);
    await tracing?.[Symbol.asyncDispose]();
    const [request] = await collector.waitFor(1);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer s3cr3t',
      'x-team': 'atrium',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a collector that does not answer costs spans and delays nothing', async () => {
  let dropped = 0;
  const queue = new SpanQueue<number>(
    () => new Promise(() => undefined),
    (spans) => {
      dropped += spans;
    },
  );
  for (let span = 0; span < 10_000; span += 1) queue.add(span);
  // One batch is on its way, and 4,096 wait.
  expect(dropped).toBe(10_000 - 512 - 4_096);
  await queue[Symbol.asyncDispose]();
});
