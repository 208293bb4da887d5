import { setTimeout as sleep } from 'node:timers/promises';
import { drive } from './drive.ts';
import type { Fault } from './faults.ts';
import { Ledger, type Tally } from './ledger.ts';
import { Rejections } from './rejections.ts';
import {
  createClickers,
  createLogins,
  createPublishers,
  createSharers,
} from './event-producers.ts';
import { untilSettled } from './settle.ts';
import { startVerifyingReceiver } from './receiver.ts';
import { findSteadyPort } from './breakable-server.ts';
import { subscribe } from './subscription.ts';
import type { LoadedPlatform } from './chaos-environment.ts';

export interface FaultResult extends Tally {
  fault: string;
  title: string;
  /** Exhausted deliveries that their owner recovered. */
  recovered: number;
  /** Deliveries without a valid signature. */
  forged: number;
  /** The first lost markers. */
  lostMarkers: string[];
  /** Requests that were refused with a clear 503. */
  unavailable: number;
  /** The first rejections that do not say what was done. */
  unclear: string[];
  tookMs: number;
}

/** The parts of shared notes, of published events and of logins in all events; the rest are clicks. */
const SHARE_RATIO = 0.1;
const PUBLISHED_RATIO = 0.2;
const LOGIN_RATIO = 0.01;
/** Events flow at least this long before and after the fault. */
const MARGIN_MS = 2_000;
/** What two cores sustain with the platform, this driver and its receiver. */
const MAX_EVENTS_PER_SECOND = 400;
const MAX_DURATION_MS = 15 * 60_000;

/** Causes `count` events while the fault happens, and waits for their deliveries. */
export async function runFault<Environment extends LoadedPlatform>(
  environment: Environment,
  fault: Fault<Environment>,
  count: number,
  stop: AbortSignal,
): Promise<FaultResult> {
  const startedAtMs = Date.now();
  const failing = new AbortController();
  const signal = AbortSignal.any([stop, failing.signal, AbortSignal.timeout(MAX_DURATION_MS)]);
  void environment.platform.unexpectedExit.then(({ name, reason }) =>
    failing.abort(new Error(`${name} ended unexpectedly (${reason}).`)),
  );
  await environment.renewToken();
  const ledger = new Ledger();
  const rejections = new Rejections();
  await using receiver = await startVerifyingReceiver(await findSteadyPort(), (marker, eventId) =>
    ledger.deliver(marker, eventId, Date.now()),
  );
  // The events that they publish have a type before it is subscribed to.
  const [clickers, sharers, publishers] = await Promise.all([
    createClickers(environment, rejections),
    createSharers(environment, rejections),
    createPublishers(environment, rejections),
  ]);
  await using subscription = await subscribe(environment, receiver.url);
  receiver.secret = subscription.secret;

  const shares = Math.round(count * SHARE_RATIO);
  const published = Math.round(count * PUBLISHED_RATIO);
  const logins = Math.round(count * LOGIN_RATIO);
  const flow = {
    overMs: Math.max(fault.durationMs + 2 * MARGIN_MS, (count / MAX_EVENTS_PER_SECOND) * 1000),
    onAccepted: (marker: string) => ledger.accept(marker, Date.now()),
    signal,
  };
  let recovered: number;
  try {
    await together(failing, [
      drive({ ...flow, producers: clickers, count: count - shares - published - logins }),
      drive({ ...flow, producers: sharers, count: shares }),
      drive({ ...flow, producers: publishers, count: published }),
      drive({ ...flow, producers: createLogins(environment, rejections), count: logins }),
      sleep(MARGIN_MS, undefined, { signal }).then(() =>
        fault.inject(environment, receiver, signal),
      ),
    ]);
    const since = new Date(startedAtMs);
    recovered = await untilSettled({ ledger, subscription, since, signal });
  } catch (error) {
    // The error of an interrupted wait does not name the cause; the signal's reason does.
    throw signal.aborted ? signal.reason : error;
  }
  return {
    fault: fault.name,
    title: fault.title,
    ...ledger.tally(),
    recovered,
    forged: receiver.forged,
    unavailable: rejections.unavailable,
    unclear: rejections.unclear,
    lostMarkers: [...ledger.missing].slice(0, 20),
    tookMs: Date.now() - startedAtMs,
  };
}

/** Runs all tasks; the first failure aborts the others and is thrown when all have ended. */
async function together(failing: AbortController, tasks: Promise<void>[]): Promise<void> {
  for (const task of tasks) task.catch((error: unknown) => failing.abort(error));
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
