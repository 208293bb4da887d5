import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@atrium/local-stack/process-table';
import { call } from '../client.ts';
import type { ChaosEnvironment, LoadedPlatform } from './chaos-environment.ts';
import type { VerifyingReceiver } from './receiver.ts';
import { isOutcomeUnknown, isUnavailable } from './rejections.ts';
import { NO_SMALL_DISK } from './small-disk.ts';

/** A fault that is injected while events flow and is over when `inject` resolves. */
export interface Fault<Environment extends LoadedPlatform = ChaosEnvironment> {
  name: string;
  /** For the table of results. */
  title: string;
  durationMs: number;
  inject(environment: Environment, receiver: VerifyingReceiver, signal: AbortSignal): Promise<void>;
}

export interface FaultDurations {
  killMs: number;
  outageMs: number;
  receiverMs: number;
}

export const FULL_DURATIONS: FaultDurations = {
  killMs: 20_000,
  outageMs: 20_000,
  receiverMs: 30_000,
};

export const DISK_FULL = 'disk-full';
const KILL_INTERVAL_MS = 2_000;
const FLUSH_INTERVAL_MS = 4_000;

/**
 * Every fault alone, and all of them in sequence during one stream of events.
 * @param canFillDisk false leaves the fault out for which Postgres must be on a small disk
 */
export function createFaults(times: FaultDurations, canFillDisk = true): Fault[] {
  const { killMs, outageMs, receiverMs } = times;
  const each = [
    killing('worker', 'kill -9 the worker every 2 s', ['worker'], killMs),
    killing('relay', 'kill -9 links and notes (the relays)', ['links', 'notes'], killMs),
    killing('dispatcher', 'kill -9 the dispatcher', ['webhook-dispatcher'], killMs),
    killing('auth', 'kill -9 auth', ['auth'], killMs),
    redisOutage(outageMs),
    flushAll(),
    postgresOutage(outageMs),
    ...(canFillDisk ? [diskFull(outageMs)] : []),
    receiverDown(receiverMs),
    receiverFailing(receiverMs),
  ];
  return [...each, inTurn(each)];
}

/** The interval begins when the processes are ready again, so that they always do some work. */
function killing(
  name: string,
  title: string,
  processNames: readonly ProcessName[],
  durationMs: number,
): Fault {
  return {
    name,
    title,
    durationMs,
    async inject({ platform }, _receiver, signal) {
      const endMs = Date.now() + durationMs;
      while (Date.now() < endMs) {
        const killed = processNames.map((processName) => platform.process(processName));
        await Promise.all(killed.map((child) => child.kill('SIGKILL')));
        for (const child of killed) await child.restart();
        await sleep(KILL_INTERVAL_MS, undefined, { signal });
      }
    },
  };
}

function redisOutage(durationMs: number): Fault {
  return {
    name: 'redis',
    title: `Redis stopped for ${durationMs / 1000} s`,
    durationMs,
    async inject({ redis }, _receiver, signal) {
      await redis.stop('SIGTERM');
      await sleep(durationMs, undefined, { signal });
      await redis.start();
    },
  };
}

function flushAll(): Fault {
  return {
    name: 'flushall',
    title: 'FLUSHALL twice',
    durationMs: 2 * FLUSH_INTERVAL_MS,
    async inject(environment, _receiver, signal) {
      for (let time = 0; time < 2; time++) {
        await sleep(FLUSH_INTERVAL_MS / 2, undefined, { signal });
        await environment.flushRedis();
        await sleep(FLUSH_INTERVAL_MS / 2, undefined, { signal });
      }
    },
  };
}

function postgresOutage(durationMs: number): Fault {
  return {
    name: 'postgres',
    title: `Postgres stopped for ${durationMs / 1000} s (immediate mode)`,
    durationMs,
    async inject({ postgres }, _receiver, signal) {
      // SIGQUIT is the immediate mode: no checkpoint, the next start recovers from the log.
      await postgres.stop('SIGQUIT');
      await sleep(durationMs, undefined, { signal });
      await postgres.start();
    },
  };
}

function diskFull(durationMs: number): Fault {
  return {
    name: DISK_FULL,
    title: `disk of Postgres full for ${durationMs / 1000} s`,
    durationMs,
    async inject(environment, _receiver, signal) {
      const { disk, postgres } = environment;
      if (disk === undefined) throw new Error(NO_SMALL_DISK);
      await disk.fill();
      try {
        await untilWritesFail(environment, signal);
        await sleep(durationMs, undefined, { signal });
      } finally {
        await disk.free();
      }
      // Without space for its log Postgres shuts down.
      await postgres.revive();
    },
  };
}

/** Creates links until the free pages of their table and the log's current segment are used up. */
async function untilWritesFail(
  { owner, platform }: ChaosEnvironment,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    // Random, so that it is not compressed.
    const url = `https://example.com/${randomBytes(900).toString('hex')}`;
    const response = await call('POST', `${platform.urls.links}/api/links`, {
      token: owner.accessToken,
      body: { url },
    });
    // Without space for its log, Postgres ends in the middle of a COMMIT.
    if (isUnavailable(response) || isOutcomeUnknown(response)) return;
    const { status, body } = response;
    if (status !== 201) throw new Error(`A full disk led to ${status} ${JSON.stringify(body)}`);
  }
}

function receiverDown(durationMs: number): Fault {
  return {
    name: 'receiver-down',
    title: `receiver down for ${durationMs / 1000} s`,
    durationMs,
    async inject(_environment, receiver, signal) {
      await receiver.stop();
      await sleep(durationMs, undefined, { signal });
      await receiver.start();
    },
  };
}

function receiverFailing(durationMs: number): Fault {
  return {
    name: 'receiver-500',
    title: 'receiver answers 500 half the time',
    durationMs,
    async inject(_environment, receiver, signal) {
      const healthy = receiver.respond;
      receiver.respond = () => (Math.random() < 0.5 ? 500 : healthy());
      await sleep(durationMs, undefined, { signal });
      receiver.respond = healthy;
    },
  };
}

function inTurn(faults: readonly Fault[]): Fault {
  return {
    name: 'all',
    title: 'all of these in sequence',
    durationMs: faults.reduce((sum, fault) => sum + fault.durationMs, 0),
    async inject(environment, receiver, signal) {
      for (const fault of faults) await fault.inject(environment, receiver, signal);
    },
  };
}
