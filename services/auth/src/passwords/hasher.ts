import { availableParallelism } from 'node:os';
import { unavailable } from '@atrium/service-kit/http-error';
import { hash, type Options, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id; the algorithm is the library's default, argon2id. */
const PARAMETERS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs on libuv's threads, of which there are four; DNS and files need them too. */
const MAX_CONCURRENT = Math.min(3, availableParallelism());
const MAX_WAITING = 128;
const RETRY_AFTER_SECONDS = 2;

export interface PasswordHasher {
  /** @throws HttpError 503 when too many hashes are waiting already */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. Without a stored hash it takes the same time and answers false, so
   * that nobody learns from the clock which accounts exist.
   *
   * @throws HttpError 503 when too many hashes are waiting already
   */
  verify(storedHash: string | undefined, password: string): Promise<boolean>;
}

export async function createPasswordHasher(
  limits: { maxConcurrent: number; maxWaiting: number } = {
    maxConcurrent: MAX_CONCURRENT,
    maxWaiting: MAX_WAITING,
  },
): Promise<PasswordHasher> {
  const inTurn = boundedQueue(limits);
  const dummyHash = await hash('nobody has this password', PARAMETERS);
  return {
    hash: (password) => inTurn(() => hash(normalise(password), PARAMETERS)),
    async verify(storedHash, password) {
      const fits = await inTurn(() => verify(storedHash ?? dummyHash, normalise(password)));
      return fits && storedHash !== undefined;
    },
  };
}

/** One text may be typed as different code points on different keyboards (RFC 8265 section 4.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}

/** Full means 503 at once: a queue longer than people wait for only hashes for nobody. */
function boundedQueue(limits: { maxConcurrent: number; maxWaiting: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < limits.maxConcurrent) {
      running += 1;
    } else {
      if (waiting.length >= limits.maxWaiting) {
        throw unavailable('The service is busy, please try again', RETRY_AFTER_SECONDS);
      }
      // Whoever finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) {
        running -= 1;
      } else {
        next();
      }
    }
  };
}
