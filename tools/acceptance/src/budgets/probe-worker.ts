// The requests of a bystander on a thread of its own, so that the load that the attacker causes in this
// process delays none of them.
import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOutcomeUnknown } from '../chaos/rejections.ts';
import { type ApiResponse, call } from '../client.ts';

export type ProbeName = 'me' | 'save' | 'redirect';

export interface ProbeTargets {
  token: string;
  meUrl: string;
  noteUrl: string;
  shortUrl: string;
}

/** What one kind of request met. */
export interface Probed {
  durationsMs: number[];
  /** Answered 503 or 429, or 500 because Postgres went away during a COMMIT. */
  refused: number;
  /** Every other answer but the right one, and those that never came, with their number. */
  wrong: Record<string, number>;
}

export interface ProbeReport {
  probes: Record<ProbeName, Probed>;
  /** The last text that was saved, and what may have been saved after it without an answer. */
  saved: string;
  uncertain: string[];
}

const INTERVAL_MS = 70;
const EXPECTED = { me: 200, save: 200, redirect: 302 } as const;
const { token, meUrl, noteUrl, shortUrl } = workerData as ProbeTargets;

const stopping = new AbortController();
let saved = '';
let uncertain: string[] = [];
let turn = 0;

async function save(): Promise<ApiResponse> {
  const content = `Saved ${Date.now()} ${turn++}`;
  uncertain.push(content);
  const headers = { 'if-match': '*' };
  const response = await call('PATCH', noteUrl, { token, headers, body: { content } });
  if (response.status === EXPECTED.save) {
    saved = content;
    uncertain = [];
  }
  return response;
}

const requests: Record<ProbeName, () => Promise<ApiResponse>> = {
  me: () => call('GET', meUrl, { token }),
  save,
  redirect: () => call('GET', shortUrl),
};

const isRefused = (response: ApiResponse) =>
  response.status === 503 || response.status === 429 || isOutcomeUnknown(response);

/** One request after the other, as a person sends them. */
async function probe(name: ProbeName): Promise<Probed> {
  const probed: Probed = { durationsMs: [], refused: 0, wrong: {} };
  while (!stopping.signal.aborted) {
    const startMs = performance.now();
    const response = await requests[name]().catch((error: unknown) => String(error));
    const durationMs = performance.now() - startMs;
    probed.durationsMs.push(durationMs);
    if (durationMs < INTERVAL_MS) await sleep(INTERVAL_MS - durationMs);
    const isAnswer = typeof response !== 'string';
    const outcome = isAnswer ? response.status : response;
    if (outcome === EXPECTED[name]) continue;
    if (isAnswer && isRefused(response)) probed.refused += 1;
    else probed.wrong[outcome] = (probed.wrong[outcome] ?? 0) + 1;
  }
  return probed;
}

parentPort?.once('message', () => stopping.abort());
const [me, redirect, saves] = await Promise.all([probe('me'), probe('redirect'), probe('save')]);
const report: ProbeReport = { probes: { me, save: saves, redirect }, saved, uncertain };
parentPort?.postMessage(report);
