import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@atrium/local-stack/process-table';
import type { World } from './world.ts';
import type { VerifyingReceiver } from './receiver.ts';

/** Something that goes wrong while events are on their way, and is all right again at its end. */
export interface Fault {
  name: string;
  /** In words, for the table. */
  title: string;
  lastsMs: number;
  inflict(world: World, receiver: VerifyingReceiver, signal: AbortSignal): Promise<void>;
}

/** How long the faults last. */
export interface FaultTimes {
  killingMs: number;
  outageMs: number;
  receiverMs: number;
}

export const FULL_TIMES: FaultTimes = { killingMs: 20_000, outageMs: 20_000, receiverMs: 30_000 };

const KILL_INTERVAL_MS = 2_000;
const FLUSH_INTERVAL_MS = 4_000;

/** Every fault alone, and then all of them in turn while one stream of events goes on. */
export function createFaults(times: FaultTimes): Fault[] {
  const { killingMs, outageMs, receiverMs } = times;
  const each = [
    killing('worker', 'kill -9 the worker every 2 s', ['worker'], killingMs),
    killing('relay', 'kill -9 links and notes, which relay', ['links', 'notes'], killingMs),
    killing('dispatcher', 'kill -9 the dispatcher', ['webhook-dispatcher'], killingMs),
    redisAway(outageMs),
    flushAll(),
    postgresAway(outageMs),
    receiverDown(receiverMs),
    receiverFailing(receiverMs),
  ];
  return [...each, inTurn(each)];
}

/** The interval begins when they are up again: also where starting is slow they get to work. */
function killing(
  name: string,
  title: string,
  processNames: readonly ProcessName[],
  lastsMs: number,
): Fault {
  return {
    name,
    title,
    lastsMs,
    async inflict({ platform }, _receiver, signal) {
      const endMs = Date.now() + lastsMs;
      while (Date.now() < endMs) {
        const killed = processNames.map((processName) => platform.process(processName));
        await Promise.all(killed.map((child) => child.kill('SIGKILL')));
        for (const child of killed) await child.restart();
        await sleep(KILL_INTERVAL_MS, undefined, { signal });
      }
    },
  };
}

function redisAway(lastsMs: number): Fault {
  return {
    name: 'redis',
    title: `Redis stopped for ${lastsMs / 1000} s`,
    lastsMs,
    async inflict({ redis }, _receiver, signal) {
      await redis.stop('SIGTERM');
      await sleep(lastsMs, undefined, { signal });
      await redis.start();
    },
  };
}

function flushAll(): Fault {
  return {
    name: 'flushall',
    title: 'FLUSHALL twice',
    lastsMs: 2 * FLUSH_INTERVAL_MS,
    async inflict(world, _receiver, signal) {
      for (let time = 0; time < 2; time++) {
        await sleep(FLUSH_INTERVAL_MS / 2, undefined, { signal });
        await world.flushRedis();
        await sleep(FLUSH_INTERVAL_MS / 2, undefined, { signal });
      }
    },
  };
}

function postgresAway(lastsMs: number): Fault {
  return {
    name: 'postgres',
    title: `Postgres stopped for ${lastsMs / 1000} s (immediate mode)`,
    lastsMs,
    async inflict({ postgres }, _receiver, signal) {
      // SIGQUIT is the immediate mode: no checkpoint, the next start recovers from the log.
      await postgres.stop('SIGQUIT');
      await sleep(lastsMs, undefined, { signal });
      await postgres.start();
    },
  };
}

function receiverDown(lastsMs: number): Fault {
  return {
    name: 'receiver-down',
    title: `receiver down for ${lastsMs / 1000} s`,
    lastsMs,
    async inflict(_world, receiver, signal) {
      await receiver.stop();
      await sleep(lastsMs, undefined, { signal });
      await receiver.start();
    },
  };
}

function receiverFailing(lastsMs: number): Fault {
  return {
    name: 'receiver-500',
    title: 'receiver answers 500 half the time',
    lastsMs,
    async inflict(_world, receiver, signal) {
      const healthy = receiver.answer;
      receiver.answer = () => (Math.random() < 0.5 ? 500 : healthy());
      await sleep(lastsMs, undefined, { signal });
      receiver.answer = healthy;
    },
  };
}

function inTurn(faults: readonly Fault[]): Fault {
  return {
    name: 'all',
    title: 'all of these in turn',
    lastsMs: faults.reduce((sum, fault) => sum + fault.lastsMs, 0),
    async inflict(world, receiver, signal) {
      for (const fault of faults) await fault.inflict(world, receiver, signal);
    },
  };
}
