import { setTimeout as sleep } from 'node:timers/promises';
import { AtriumError, isTransient } from '../http/error.ts';
import type { ForwardedBody, LeasedDeliveries } from '../types.ts';
import type { CallApi } from './api.ts';
import type { Output } from './output.ts';

type LeasedDelivery = LeasedDeliveries['deliveries'][number];

/** As long as Atrium itself waits for a receiver. */
const FORWARD_TIMEOUT_MS = 15_000;
/** Within the lease: what cannot be reported until then is fetched again. */
const REPORT_MAX_MS = 10_000;
const REPORT_RETRY_MS = 500;

export interface ForwardOptions {
  call: CallApi;
  webhooksUrl: string;
  forwardTo: string;
  output: Output;
}

/** Sends a delivery to the local receiver as it is, and reports the answer. */
export async function forward(options: ForwardOptions, delivery: LeasedDelivery): Promise<void> {
  const { id, leaseId, event, attempt } = delivery;
  const result = await post(options.forwardTo, delivery);
  const { status, durationMs, error } = result;
  const time = new Date().toTimeString().slice(0, 'hh:mm:ss'.length);
  const answer = `attempt ${attempt}  ${status ?? error}  ${durationMs} ms`;
  options.output.line(`${time}  ${event}  ${id}  ${answer}`, {
    event: 'forwarded',
    deliveryId: id,
    name: event,
    attempt,
    ...result,
  });
  await report(options, id, { leaseId, ...result });
}

async function post(
  url: string,
  { headers, body }: LeasedDelivery,
): Promise<Omit<ForwardedBody, 'leaseId'>> {
  const startMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startMs);
  try {
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return { status: response.status, durationMs: durationMs() };
  } catch (error) {
    return { status: null, durationMs: durationMs(), error: reason(error) };
  }
}

/** 409 means that the lease has ended: the delivery is fetched again. */
async function report(
  { call, webhooksUrl }: ForwardOptions,
  id: string,
  result: ForwardedBody,
): Promise<void> {
  const endMs = performance.now() + REPORT_MAX_MS;
  for (;;) {
    try {
      await call('POST', `${webhooksUrl}/api/deliveries/${id}/forwarded`, result);
      return;
    } catch (error) {
      if (error instanceof AtriumError && error.status === 409) return;
      if (!isTransient(error)) throw error;
      if (performance.now() > endMs) return;
    }
    await sleep(REPORT_RETRY_MS);
  }
}

/** `fetch` says only that it failed; its cause says why. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // The code of a DOMException, as of a timeout, is a number that tells nobody anything.
  const code = cause instanceof Error && 'code' in cause ? cause.code : '';
  if (typeof code === 'string' && code !== '') return code;
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 500);
}
