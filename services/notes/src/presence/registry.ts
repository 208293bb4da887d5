import type { RedisHandle } from '@atrium/service-kit/redis';

/** How long an entry outlives the process that wrote it. */
const TTL_MS = 30_000;

/** One stream of an account that shows a note. */
export interface Viewer {
  noteId: string;
  accountId: string;
  /** Tells the streams of an account apart. */
  streamId: string;
}

/** Who has which note open, at every process of the service. An entry that is not renewed expires. */
export interface PresenceRegistry {
  renew(viewers: readonly Viewer[]): Promise<void>;
  remove(viewer: Viewer): Promise<void>;
  /** The accounts that have each note open, in the order of their ids. */
  read(noteIds: readonly string[]): Promise<Map<string, string[]>>;
}

export function createPresenceRegistry(options: {
  redis: RedisHandle['client'];
  queuePrefix: string;
  clockMs: () => number;
}): PresenceRegistry {
  const { redis, queuePrefix, clockMs } = options;
  // A sorted set for each note: "account stream" by the end of the entry.
  const keyOf = (noteId: string) => `${queuePrefix}:notes-presence:${noteId}`;
  const entryOf = ({ accountId, streamId }: Viewer) => `${accountId} ${streamId}`;

  return {
    async renew(viewers) {
      const nowMs = clockMs();
      const pipeline = redis.pipeline();
      for (const viewer of viewers) {
        const key = keyOf(viewer.noteId);
        pipeline.zadd(key, nowMs + TTL_MS, entryOf(viewer));
        pipeline.zremrangebyscore(key, '-inf', nowMs);
        pipeline.pexpire(key, TTL_MS);
      }
      await results(pipeline.exec());
    },
    async remove(viewer) {
      await redis.zrem(keyOf(viewer.noteId), entryOf(viewer));
    },
    async read(noteIds) {
      const pipeline = redis.pipeline();
      for (const noteId of noteIds) pipeline.zrangebyscore(keyOf(noteId), clockMs(), '+inf');
      const entries = await results(pipeline.exec());
      const accounts = (found: unknown) =>
        Array.isArray(found) ? found.map((entry) => String(entry).split(' ')[0] ?? '') : [];
      return new Map(
        noteIds.map((noteId, at) => [noteId, [...new Set(accounts(entries[at]))].toSorted()]),
      );
    },
  };
}

async function results(sent: Promise<[Error | null, unknown][] | null>): Promise<unknown[]> {
  return ((await sent) ?? []).map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}
