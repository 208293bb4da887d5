import { PROCESSES } from '@atrium/local-stack/process-table';
import { startCollector } from '@atrium/testkit/collector';
import { afterAll } from 'vitest';
import { startAtrium } from '../../atrium.ts';

/** Relays look only when they are woken, so that events show that every commit does so. */
const woken = { RELAY_INTERVAL_MS: '3600000' };

/** Whoever registers with this name. */
export const OPERATOR = 'operator-of-kills';

/** Takes the traces of all these tests. */
export const collector = await startCollector();
afterAll(() => collector[Symbol.asyncDispose]());

/** The platform of all these tests, one after another: each leaves its processes running. */
export const atrium = await startAtrium(
  {
    ACCOUNT_DELETION_GRACE_DAYS: '0',
    OPERATOR_EMAILS: `${OPERATOR}@example.com`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    TRACE_URL_TEMPLATE: 'https://traces.example.com/{traceId}',
  },
  Object.fromEntries(PROCESSES.map(({ name }) => [name, woken])),
);
afterAll(() => atrium[Symbol.asyncDispose]());
