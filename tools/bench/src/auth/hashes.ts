// A baseline of the auth benchmarks: how many passwords a second this machine checks, with the
// parameters and as many threads as the service.
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The service leaves one of libuv's four threads to everything else. */
const THREADS = Math.min(availableParallelism(), 3);
const seconds = Number(process.argv[2]);
const password = 'a lantern in the fog';

const stored = await hash(password, PARAMETERS);
let verified = 0;
const startedMs = performance.now();
const endMs = startedMs + seconds * 1000;
const work = async () => {
  while (performance.now() < endMs) {
    await verify(stored, password);
    verified += 1;
  }
};
await Promise.all(Array.from({ length: THREADS }, work));
process.send?.({ perSecond: verified / ((performance.now() - startedMs) / 1000) });
process.disconnect();
