import { randomUUID } from 'node:crypto';
import { AtriumError, isTransient } from '../http/error.ts';
import { followStream } from '../http/follow-stream.ts';
import type { CallOptions } from '../http/send.ts';
import type { CreatedSubscription, LeasedDeliveries, Subscription } from '../types.ts';
import type { CallApi } from './api.ts';
import type { CredentialsFile } from './credentials.ts';
import { forward } from './forward.ts';
import type { Output } from './output.ts';
import { type CommandSession, notLoggedIn } from './session.ts';

/** The stream says when something is due; this finds what a lost event would have said. */
const POLL_MAX_MS = 10_000;
const POLL_MIN_MS = 50;
const RETRY_MS = 1_000;

export interface ListenOptions {
  call: CallApi;
  session: CommandSession;
  file: CredentialsFile;
  output: Output;
  forwardTo: string;
  events: string[];
  /** Aborted by the first signal: what has been fetched is still forwarded. */
  signal: AbortSignal;
}

/** Forwards the deliveries of a listener until it is told to stop, or its login ends. */
export async function listen(options: ListenOptions): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  try {
    await forwardUntilStopped({ ...options, signal });
  } finally {
    ended.abort();
  }
}

/** Fetches, forwards and reports. */
async function forwardUntilStopped(options: ListenOptions): Promise<void> {
  const { call, session, output, forwardTo, signal } = options;
  const { webhooksUrl } = await session.credentials();
  let listener: Listener | undefined;
  let creationKey = randomUUID();
  let wake = () => {};
  let isWoken = false;
  const notify = () => {
    isWoken = true;
    wake();
  };
  signal.addEventListener('abort', notify);
  void followDeliveries(options, `${webhooksUrl}/api/deliveries/stream?state=pending`, notify);
  let isAway = false;
  while (!signal.aborted) {
    let delayMs = RETRY_MS;
    isWoken = false;
    try {
      listener ??= await openListener(options, webhooksUrl, creationKey);
      const url = `${webhooksUrl}/api/listeners/${listener.id}/lease`;
      const { deliveries, nextDueAt } = await call<LeasedDeliveries>('POST', url);
      const target = { call, webhooksUrl, forwardTo, output };
      await Promise.all(deliveries.map((delivery) => forward(target, delivery)));
      if (isAway) output.line('Connected again.', { event: 'connected' });
      isAway = false;
      delayMs = deliveries.length > 0 ? 0 : untilDueMs(nextDueAt);
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      if (error.status === 404 && listener !== undefined) {
        listener = undefined;
        creationKey = randomUUID();
      } else {
        if (!isTransient(error)) throw error;
        if (!isAway) output.line(`${error.message}, trying again …`, { event: 'disconnected' });
        isAway = true;
      }
    }
    if (isWoken || delayMs === 0) continue;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

interface Listener {
  id: string;
  secret: string;
}

/**
 * The listener of an earlier run, so that it resumes where that stopped; otherwise a new one.
 *
 * @param creationKey the same until one was created, so that a lost answer leaves no second one
 */
async function openListener(
  { call, session, file, output, forwardTo, events }: ListenOptions,
  webhooksUrl: string,
  creationKey: string,
): Promise<Listener> {
  const stored = (await session.credentials()).listeners[forwardTo];
  const found =
    stored && (await enableListener(call, `${webhooksUrl}/api/webhooks/${stored.id}`, events));
  let listener = found === undefined ? undefined : stored;
  if (listener === undefined) {
    const body = { forwardTo, events };
    const url = `${webhooksUrl}/api/listeners`;
    const created = await call<CreatedSubscription>('POST', url, body, {
      headers: { 'idempotency-key': creationKey },
    });
    listener = { id: created.id, secret: created.secret };
  }
  const { id, secret } = listener;
  await file.update(async (now) => {
    if (now === undefined) throw notLoggedIn();
    const others = Object.entries(now.listeners).filter(([target]) => target !== forwardTo);
    // Last, so that `trigger` finds it.
    return { ...now, listeners: Object.fromEntries([...others, [forwardTo, { id, secret }]]) };
  });
  output.line(`Forwarding ${events.join(', ')} to ${forwardTo}\nSigned with the secret ${secret}`, {
    event: 'listening',
    listenerId: id,
    forwardTo,
    events,
    secret,
  });
  return listener;
}

/** @returns undefined when the listener no longer exists */
async function enableListener(
  call: CallApi,
  url: string,
  events: string[],
): Promise<Subscription | undefined> {
  try {
    return await call<Subscription>('PATCH', url, { events, enabled: true });
  } catch (error) {
    if (error instanceof AtriumError && error.status === 404) return undefined;
    throw error;
  }
}

/** Follows the stream of deliveries. It only wakes: errors are shown elsewhere. */
async function followDeliveries(
  { session, signal }: ListenOptions,
  url: string,
  notify: () => void,
): Promise<void> {
  let refused: string | undefined;
  const open = async (options: CallOptions) => {
    const token = await session.accessToken(refused);
    const headers = { ...options.headers, authorization: `Bearer ${token}` };
    const { status, ok, body } = await fetch(url, { signal: options.signal ?? null, headers });
    refused = status === 401 ? token : undefined;
    if (ok && body !== null) return body;
    await body?.cancel();
    throw new Error(`The stream was answered with ${status}`);
  };
  try {
    for await (const block of followStream(open, signal)) {
      if (block === 'disconnected' || block.event !== undefined) notify();
    }
  } catch {
    // The next fetch of deliveries says what is wrong.
  }
}

function untilDueMs(nextDueAt: string | null): number {
  if (nextDueAt === null) return POLL_MAX_MS;
  return Math.min(Math.max(Date.parse(nextDueAt) - Date.now(), POLL_MIN_MS), POLL_MAX_MS);
}
