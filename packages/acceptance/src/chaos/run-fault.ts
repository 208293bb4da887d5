import { setTimeout as sleep } from 'node:timers/promises';
import { drive } from './drive.ts';
import type { Fault } from './faults.ts';
import { Ledger, type Tally } from './ledger.ts';
import { createClickers, createSharers } from './producers.ts';
import { untilQuiet } from './quiet.ts';
import { startVerifyingReceiver } from './receiver.ts';
import { findSteadyPort } from './server.ts';
import { subscribe } from './subscription.ts';
import type { World } from './world.ts';

/** What one fault did. */
export interface FaultResult extends Tally {
  fault: string;
  title: string;
  /** Deliveries that used up their attempts and were recovered by their owner. */
  recovered: number;
  /** Deliveries without a valid signature. */
  forged: number;
  /** The first marks that are lost. */
  lostMarks: string[];
  tookMs: number;
}

/** Of all events these are shared notes; the rest are clicks. */
const SHARES = 0.1;
/** Events flow this long before the fault begins, and at least as long after it has ended. */
const MARGIN_MS = 2_000;
/** What two cores sustain with the whole platform, this driver and its receiver on them. */
const MAX_EVENTS_PER_SECOND = 400;
/** Whatever a fault does, it is over by then. */
const MAX_DURATION_MS = 15 * 60_000;

/** Drives `count` events through the producers while the fault happens, and waits for them all. */
export async function runFault(
  world: World,
  fault: Fault,
  count: number,
  asked: AbortSignal,
): Promise<FaultResult> {
  const startedAtMs = Date.now();
  const failing = new AbortController();
  const signal = AbortSignal.any([asked, failing.signal, AbortSignal.timeout(MAX_DURATION_MS)]);
  void world.platform.unexpectedExit.then(({ name, reason }) =>
    failing.abort(new Error(`${name} ended by itself (${reason}).`)),
  );
  await world.renewToken();
  const ledger = new Ledger();
  await using receiver = await startVerifyingReceiver(await findSteadyPort(), (mark) =>
    ledger.arrive(mark, Date.now()),
  );
  await using subscription = await subscribe(world, receiver.url);
  receiver.secret = subscription.secret;
  const [clickers, sharers] = await Promise.all([createClickers(world), createSharers(world)]);

  const shares = Math.round(count * SHARES);
  const flow = {
    overMs: Math.max(fault.lastsMs + 2 * MARGIN_MS, (count / MAX_EVENTS_PER_SECOND) * 1000),
    onAccepted: (mark: string) => ledger.accept(mark, Date.now()),
    signal,
  };
  let recovered: number;
  try {
    await together(failing, [
      drive({ ...flow, producers: clickers, count: count - shares }),
      drive({ ...flow, producers: sharers, count: shares }),
      sleep(MARGIN_MS, undefined, { signal }).then(() => fault.inflict(world, receiver, signal)),
    ]);
    const since = new Date(startedAtMs);
    recovered = await untilQuiet({ ledger, subscription, since, signal });
  } catch (error) {
    // What was waiting says only that it was interrupted, not why.
    throw signal.aborted ? signal.reason : error;
  }
  return {
    fault: fault.name,
    title: fault.title,
    ...ledger.tally(),
    recovered,
    forged: receiver.forged,
    lostMarks: [...ledger.missing].slice(0, 20),
    tookMs: Date.now() - startedAtMs,
  };
}

/** All of them; the first that fails ends the others, and is thrown when all have ended. */
async function together(failing: AbortController, tasks: Promise<void>[]): Promise<void> {
  for (const task of tasks) task.catch((error: unknown) => failing.abort(error));
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
