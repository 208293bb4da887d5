import fc from 'fast-check';
import Value from 'typebox/value';
import { expect } from 'vitest';
import { dereference } from '../openapi.ts';
import { IS_LONG, REQUESTS, SEED } from './config.ts';
import { openHttpClient, type FuzzResponse } from './http-client.ts';
import { type FuzzRequest, OpenApi, requestsTo } from './requests.ts';
import type { KnownValues } from './values.ts';
import { violationOf } from './violations.ts';

/** The accounts that send requests; placeholders in a request stand for their tokens and ids. */
export interface FuzzAccounts {
  /** What `@@name@@` stands for in a request of this account. */
  valueFor(name: string, accountIndex: number): string;
  /** Called with each response to this account. */
  observe?(response: FuzzResponse, accountIndex: number): void;
  /** Called now and then, such as for replacing accounts that a request has deleted. */
  renew?(): Promise<void>;
}

export interface FuzzTarget {
  /** Such as `http://127.0.0.1:4001`. */
  origin: string;
  known: KnownValues;
  accounts: FuzzAccounts;
  /** Text of an account that takes no part: no response may show it. */
  secret?: string;
}

/** Requests in flight together, so that they also compete in the database. */
const BATCH = 8;
const BATCHES_BETWEEN_RENEWALS = 20;
const VIOLATIONS_MAX = 20;
/**
 * Share of routes that must succeed, or a run only shows rejections. Many need what a run rarely makes, and
 * which of them do depends on what competes: from run to run .2 to .4 of the routes of auth and webhooks.
 */
const SUCCESS_RATIO_MIN = 0.1;

/** Sends generated requests to every route and expects responses as the OpenAPI document says. */
export async function fuzzRoutes({ origin, known, accounts, secret }: FuzzTarget): Promise<void> {
  using client = openHttpClient(Number(new URL(origin).port));
  const published = await fetch(`${origin}/openapi.json`);
  const document = dereference(await published.json());
  // Asserted, not parsed: parsing would drop parts of the response schemas.
  Value.Assert(OpenApi, document);
  const { operations, request } = requestsTo(document, known);
  const violations: string[] = [];
  const statuses = new Map<string, Map<number, number>>();

  const check = async (template: FuzzRequest) => {
    const sent = fill(template, accounts);
    const answer = await client.send(sent);
    const { operation } = sent;
    const isLeak =
      secret !== undefined && typeof answer === 'object' && answer.text.includes(secret);
    const violation = isLeak
      ? `shows the text of another account: ${answer.text}`
      : violationOf(operations.get(operation) ?? {}, sent, answer);
    if (violation !== undefined) violations.push(`${operation} ${violation}\n${describe(sent)}`);
    if (typeof answer !== 'object') return;
    accounts.observe?.(answer, sent.accountIndex);
    if (!operation.startsWith(`${sent.method} `)) return;
    const counts = statuses.get(operation) ?? new Map<number, number>();
    statuses.set(operation, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
  };
  for (let batch = 0; batch * BATCH < REQUESTS && violations.length < VIOLATIONS_MAX; batch += 1) {
    if (batch % BATCHES_BETWEEN_RENEWALS === 0) await accounts.renew?.();
    await Promise.all(fc.sample(request, { numRuns: BATCH, seed: SEED + batch }).map(check));
  }

  if (IS_LONG) process.stdout.write(`${table(statuses)}\n`);
  expect(violations, `FUZZ_SEED=${SEED}`).toEqual([]);
  const all = [...operations.keys()];
  const succeeded = all.filter((name) =>
    [...(statuses.get(name)?.keys() ?? [])].some((status) => status < 400),
  );
  expect(all.filter((name) => !statuses.has(name))).toEqual([]);
  expect(succeeded.length / all.length).toBeGreaterThan(SUCCESS_RATIO_MIN);
}

function fill(request: FuzzRequest, accounts: FuzzAccounts): FuzzRequest {
  const { path, headers, body, accountIndex } = request;
  const replace = (text: string) =>
    text.replaceAll(/@@([\w-]+)@@/g, (_, name: string) => accounts.valueFor(name, accountIndex));
  return {
    ...request,
    path: replace(path),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(replace) : replace(value),
      ]),
    ),
    body: typeof body === 'string' ? replace(body) : body,
  };
}

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
