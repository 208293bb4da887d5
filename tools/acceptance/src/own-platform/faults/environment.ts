import { afterAll } from 'vitest';
import { startChaosEnvironment } from '../../chaos/chaos-environment.ts';

/** A platform whose servers can be stopped and whose disk can be full, for one fault after another. */
export const environment = await startChaosEnvironment(true);
afterAll(() => environment[Symbol.asyncDispose](), 60_000);
