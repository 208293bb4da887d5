import { availableParallelism } from 'node:os';
import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import { hash, type Options, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id; the algorithm is the library's default, argon2id. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
/** How a hash with these parameters begins (PHC string format). */
const CURRENT_FORM =
  `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},` +
  `p=${PARAMETERS.parallelism}$`;

/** About half a second of hashing on one core: nobody waits longer for it than that. */
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
  /**
   * A new hash of a password that fits the stored one, when that was made with other parameters than
   * today's; undefined when it need not change, or when there is no time for it now.
   */
  upgrade(storedHash: string, password: string): Promise<string | undefined>;
}

export interface HashingLimits {
  maxConcurrent: number;
  maxWaiting: number;
}

/**
 * One hash for each core and one that follows at once, while the event loop is told of the last; one of
 * libuv's threads is left over, since DNS and files run on them too.
 *
 * @param threads of libuv (`UV_THREADPOOL_SIZE`)
 */
export function hashingLimits(threads: number): HashingLimits {
  const maxConcurrent = Math.max(1, Math.min(availableParallelism() + 1, threads - 1));
  return { maxConcurrent, maxWaiting: MAX_WAITING };
}

export async function createPasswordHasher(limits: HashingLimits): Promise<PasswordHasher> {
  const inTurn = boundedQueue(limits);
  const dummyHash = await hash('nobody has this password', PARAMETERS);
  const hashInTurn = (password: string) => inTurn(() => hash(normalise(password), PARAMETERS));
  return {
    hash: hashInTurn,
    async verify(storedHash, password) {
      const fits = await inTurn(() => verify(storedHash ?? dummyHash, normalise(password)));
      return fits && storedHash !== undefined;
    },
    async upgrade(storedHash, password) {
      if (storedHash.startsWith(CURRENT_FORM)) {
        return undefined;
      }
      try {
        return await hashInTurn(password);
      } catch (error) {
        if (error instanceof HttpError && error.status === 503) {
          return undefined;
        }
        throw error;
      }
    },
  };
}

/**
 * One text may be typed as different code points on different keyboards, so both sides are normalised
 * (NIST SP 800-63B section 3.1.1.2). Nothing is cut off: argon2 takes any length.
 */
function normalise(password: string): string {
  return password.normalize('NFKC');
}

/** Full means 503 at once: a queue longer than people wait for only hashes for nobody. */
function boundedQueue(limits: HashingLimits) {
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
