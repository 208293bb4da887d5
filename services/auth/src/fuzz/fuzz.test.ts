import type { AddressInfo } from 'node:net';
import { dereference } from '@atrium/testkit/openapi';
import fc from 'fast-check';
import Value from 'typebox/value';
import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../test-app.ts';
import { startFuzzAccounts } from './accounts.fixture.ts';
import { OpenApi, requestsTo, type FuzzRequest } from './requests.fixture.ts';
import { violationOf } from './violations.fixture.ts';
import { openHttpClient } from './http-client.fixture.ts';

/** `pnpm fuzz auth` sends more requests, with a new seed each time. */
const { FUZZ_REQUESTS } = process.env;
const isLong = FUZZ_REQUESTS !== undefined;
const REQUESTS = Number(FUZZ_REQUESTS ?? 1500);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);
/** In flight together, so that they also compete in the database. */
const BATCH = 8;
const BATCHES_BETWEEN_RENEWALS = 20;
const VIOLATIONS_MAX = 20;

const errors: string[] = [];
const app = await startTestApp(
  { ACCESS_TOKEN_TTL_SECONDS: '86400' },
  {
    log: {
      write: (line) => {
        if (JSON.parse(line).level >= 50) errors.push(line);
      },
    },
  },
);
afterAll(() => app[Symbol.asyncDispose]());

test(
  `${REQUESTS} requests to all routes are answered as the OpenAPI document says`,
  async () => {
    await app.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.server.address() as AddressInfo;
    using client = openHttpClient(port);
    const document = dereference((await app.call('GET', '/openapi.json')).body);
    // Asserted, not parsed: parsing would drop parts of the response schemas.
    Value.Assert(OpenApi, document);
    const { operations, request } = requestsTo(document);
    const accounts = await startFuzzAccounts(app);
    const violations: string[] = [];
    const statuses = new Map<string, Map<number, number>>();

    const check = async (template: FuzzRequest) => {
      const sent = accounts.fill(template);
      const answer = await client.send(sent);
      const { operation } = sent;
      const violation = violationOf(operations.get(operation) ?? {}, sent, answer);
      if (violation !== undefined) violations.push(`${operation} ${violation}\n${describe(sent)}`);
      if (typeof answer === 'object' && operation.startsWith(`${sent.method} `)) {
        const counts = statuses.get(operation) ?? new Map<number, number>();
        statuses.set(operation, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
      }
    };
    for (
      let batch = 0;
      batch * BATCH < REQUESTS && violations.length < VIOLATIONS_MAX;
      batch += 1
    ) {
      if (batch % BATCHES_BETWEEN_RENEWALS === 0) await accounts.replaceLost();
      await Promise.all(fc.sample(request, { numRuns: BATCH, seed: SEED + batch }).map(check));
    }

    if (isLong) console.log(table(statuses));
    expect([...violations, ...errors], `FUZZ_SEED=${SEED}`).toEqual([]);
    // Otherwise this would only show that requests are refused.
    const all = [...operations.keys()];
    const succeeded = all.filter((name) =>
      [...(statuses.get(name)?.keys() ?? [])].some((status) => status < 300),
    );
    expect(all.filter((name) => !statuses.has(name))).toEqual([]);
    expect(succeeded.length / all.length).toBeGreaterThan(0.4);
  },
  60_000 + REQUESTS * 100,
);

function describe({ method, path, headers, body }: FuzzRequest): string {
  const text = typeof body === 'string' ? body : Buffer.from(body ?? '').toString('latin1');
  return [method, path, JSON.stringify(headers), text].map((part) => part.slice(0, 500)).join('\n');
}

function table(statuses: Map<string, Map<number, number>>): string {
  const lines = [...statuses].map(([operation, counts]) => {
    const each = [...counts].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
    return `${operation.padEnd(44)} ${each.join('  ')}`;
  });
  return lines.toSorted().join('\n');
}
