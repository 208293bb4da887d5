import type { RedisClient } from '@atrium/events/redis-client';

/** How long a stream can be resumed after the last one of its account has closed. */
const LOG_TTL_SECONDS = 300;
/** Longer than the log: while there is a log, every process writes to it. */
const FOLLOWED_TTL_MS = 600_000;
const LOG_ENTRIES_MAX = 1_000;
/** An entry that would name more deliveries says that the reader must read its lists again. */
const IDS_PER_ENTRY_MAX = 500;
const RESET = '*';

export interface Change {
  /** The position after this change. */
  position: string;
  /** Undefined when it changed more deliveries than the log names. */
  deliveryIds: string[] | undefined;
}

export interface OpenedLog {
  position: string;
  /** Whether there was no log: changes before this position are not known. */
  isNew: boolean;
}

/**
 * Which deliveries of an account have changed, in a Redis stream that exists only while
 * the account is followed. It may be lost at any time: a reader then has to read its lists again.
 */
export interface ChangeLog {
  /** Opens the log of an account, or keeps it open. */
  open(accountId: string): Promise<OpenedLog>;
  /** Whether the log reaches back to this position. */
  reaches(accountId: string, position: string): Promise<boolean>;
  /** What follows these positions, by account. */
  read(positions: ReadonlyMap<string, string>): Promise<Map<string, Change[]>>;
  /** The accounts whose log is open. */
  listFollowed(): Promise<string[]>;
  /** Adds to open logs; those that are not open stay so. */
  append(changes: ReadonlyMap<string, readonly string[]>): Promise<void>;
}

// KEYS: the set of followed accounts, the log. ARGV: account, end of following, seconds, now.
const OPEN = `
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[4])
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  local is_new = 1 - redis.call('EXISTS', KEYS[2])
  if is_new == 1 then redis.call('XADD', KEYS[2], '*', 'ids', '') end
  redis.call('EXPIRE', KEYS[2], ARGV[3])
  return { redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1][1], is_new }`;

/** @param options.queuePrefix of the Redis keys */
export function createChangeLog(options: {
  redis: RedisClient;
  queuePrefix: string;
  clockMs: () => number;
}): ChangeLog {
  const { redis, queuePrefix, clockMs } = options;
  const followedKey = `${queuePrefix}:deliveries:followed`;
  const logPrefix = `${queuePrefix}:deliveries:changes:`;
  const logKey = (accountId: string) => logPrefix + accountId;

  return {
    async open(accountId) {
      const nowMs = clockMs();
      const until = nowMs + FOLLOWED_TTL_MS;
      const keys = [followedKey, logKey(accountId)] as const;
      const opened = await redis.eval(OPEN, 2, ...keys, accountId, until, LOG_TTL_SECONDS, nowMs);
      const [position, isNew] = opened as [string, number];
      return { position, isNew: isNew === 1 };
    },

    async reaches(accountId, position) {
      if (!/^\d{1,20}-\d{1,20}$/.test(position)) return false;
      return (await redis.xrange(logKey(accountId), position, position)).length > 0;
    },

    async read(positions) {
      const keys = [...positions.keys()].map(logKey);
      const logs = await redis.xread(
        'COUNT',
        LOG_ENTRIES_MAX,
        'STREAMS',
        ...keys,
        ...positions.values(),
      );
      return new Map(
        (logs ?? []).map(([key, entries]) => [
          key.slice(logPrefix.length),
          entries.map(([position, [, ids = '']]) => ({
            position,
            deliveryIds: ids === RESET ? undefined : ids.split(',').filter((id) => id !== ''),
          })),
        ]),
      );
    },

    listFollowed: () => redis.zrangebyscore(followedKey, clockMs(), '+inf'),

    async append(changes) {
      const pipeline = redis.pipeline();
      for (const [accountId, ids] of changes) {
        const text = ids.length > IDS_PER_ENTRY_MAX ? RESET : ids.join(',');
        const max = ['MAXLEN', '~', String(LOG_ENTRIES_MAX)] as const;
        pipeline.xadd(logKey(accountId), 'NOMKSTREAM', ...max, '*', 'ids', text);
      }
      for (const [error] of (await pipeline.exec()) ?? []) {
        if (error !== null) throw error;
      }
    },
  };
}

/** Whether a position of a log comes after another. */
export function isAfter(position: string, other: string): boolean {
  const [ms = 0, sequence = 0] = position.split('-').map(Number);
  const [otherMs = 0, otherSequence = 0] = other.split('-').map(Number);
  return ms === otherMs ? sequence > otherSequence : ms > otherMs;
}
