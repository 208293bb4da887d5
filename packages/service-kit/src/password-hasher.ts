import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { HttpError, unavailable } from './http-error.ts';

/** OWASP's first choice for argon2id; the algorithm is the library's default, argon2id. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
/** The prefix of hashes with these parameters (PHC string format). */
const CURRENT_PREFIX =
  `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},` +
  `p=${PARAMETERS.parallelism}$`;

/** About half a second of hashing on two cores, the longest that a request should wait. */
const MAX_WAITING = 128;
const RETRY_AFTER_SECONDS = 2;

/** Stored in place of a hash by an account that has no password. */
export const NO_PASSWORD = '!';

export interface PasswordHasher {
  /** A hash that no password fits, for an account whose password must not be usable. */
  unusableHash: string;
  /** @throws HttpError 503 when too many hashes are waiting already */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is right. Without a stored hash it takes as long and returns false, so that
   * timing does not reveal which accounts exist.
   *
   * @throws HttpError 503 when too many hashes are waiting already
   */
  verify(storedHash: string | undefined, password: string): Promise<boolean>;
  /**
   * A new hash of a right password whose stored hash has other parameters than today's; undefined
   * when the hash is current or the queue is full.
   */
  upgrade(storedHash: string, password: string): Promise<string | undefined>;
}

export interface HashingLimits {
  maxConcurrent: number;
  maxWaiting: number;
}

/**
 * One hash per core, and one that starts while the event loop handles the last result. One libuv thread
 * stays free for DNS and files.
 *
 * @param threads size of libuv's thread pool (`UV_THREADPOOL_SIZE`)
 */
export function hashingLimits(threads: number): HashingLimits {
  const maxConcurrent = Math.max(1, Math.min(availableParallelism() + 1, threads - 1));
  return { maxConcurrent, maxWaiting: MAX_WAITING };
}

/** @param verifyOther verifies hashes of other algorithms, which `upgrade` replaces */
export async function createPasswordHasher(
  limits: HashingLimits,
  verifyOther?: (storedHash: string, password: string) => Promise<boolean>,
): Promise<PasswordHasher> {
  const inQueue = boundedQueue(limits);
  const unusableHash = await hash(randomBytes(32), PARAMETERS);
  const hashInQueue = (password: string) => inQueue(() => hash(normalise(password), PARAMETERS));
  return {
    unusableHash,
    hash: hashInQueue,
    async verify(storedHash, password) {
      const hasOne = storedHash !== undefined && storedHash !== NO_PASSWORD;
      if (hasOne && !storedHash.startsWith('$argon2') && verifyOther !== undefined) {
        return inQueue(() => verifyOther(storedHash, password));
      }
      const compared = hasOne ? storedHash : unusableHash;
      const isRight = await inQueue(() => verify(compared, normalise(password)));
      return isRight && hasOne;
    },
    async upgrade(storedHash, password) {
      if (storedHash.startsWith(CURRENT_PREFIX)) {
        return undefined;
      }
      try {
        return await hashInQueue(password);
      } catch (error) {
        if (error instanceof HttpError && error.status === 503) {
          return undefined;
        }
        throw error;
      }
    },
  };
}

/** Keyboards differ in the code points of the same text (NIST SP 800-63B section 3.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}

/** A full queue answers 503 at once, so that no request waits longer. */
function boundedQueue({ maxConcurrent, maxWaiting }: HashingLimits) {
  const limit = pLimit(maxConcurrent);
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.activeCount + limit.pendingCount >= maxConcurrent + maxWaiting) {
      throw unavailable('The service is busy, please try again', RETRY_AFTER_SECONDS);
    }
    return limit(work);
  };
}
