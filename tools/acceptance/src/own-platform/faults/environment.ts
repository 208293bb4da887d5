import { afterAll } from 'vitest';
import { startChaosEnvironment } from '../../chaos/chaos-environment.ts';
import { mountSmallDisk } from '../../chaos/small-disk.ts';

// Where it cannot be mounted, only the test fails that fills it up.
const disk = await mountSmallDisk().catch(() => undefined);
/** A platform whose servers can be stopped and whose disk can be full, for one fault after another. */
export const environment = await startChaosEnvironment(disk);
afterAll(() => environment[Symbol.asyncDispose](), 60_000);
