import type { Logger } from '@atrium/service-kit/logger';
import type { Redis } from 'ioredis';
import { Compile } from 'typebox/compile';
import { Click } from './click.ts';

export interface JournalEntry {
  entryId: string;
  /** Null when the entry is not a click and can only be discarded. */
  click: Click | null;
}

/**
 * Clicks that may not be stored yet, in a Redis stream. The process that recorded a click also has
 * it in memory; the journal is for the case that this process dies first.
 */
export interface ClickJournal {
  /** @returns the entry's id, or null while Redis is away. */
  append(click: Click): Promise<string | null>;
  remove(entryIds: readonly string[]): Promise<void>;
  /** Entries older than `ageMs`, oldest first. */
  readOlderThan(ageMs: number, limit: number): Promise<JournalEntry[]>;
}

const clickCheck = Compile(Click);

function parseClick(fields: readonly string[]): Click | null {
  const text = fields[1];
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    return clickCheck.Check(value) ? value : null;
  } catch {
    return null;
  }
}

export function createClickJournal(options: {
  redis: Redis;
  queuePrefix: string;
  clockMs: () => number;
  logger: Logger;
}): ClickJournal {
  const { redis, queuePrefix, clockMs, logger } = options;
  const stream = `${queuePrefix}:clicks`;
  return {
    async append(click) {
      try {
        return await redis.xadd(stream, '*', 'click', JSON.stringify(click));
      } catch (error) {
        logger.debug({ err: error, clickId: click.id }, 'click is held in memory only');
        return null;
      }
    },
    async remove(entryIds) {
      if (entryIds.length > 0) await redis.xdel(stream, ...entryIds);
    },
    async readOlderThan(ageMs, limit) {
      // Stream ids begin with the time of their creation in milliseconds.
      const newest = String(clockMs() - ageMs);
      const entries = await redis.xrange(stream, '-', newest, 'COUNT', limit);
      return entries.map(([entryId, fields]) => ({ entryId, click: parseClick(fields) }));
    },
  };
}
