import type { Logger } from '@atrium/service-kit/logger';
import { networkOf } from '@atrium/service-kit/rate-limit/address';
import { createLocalLimits } from '@atrium/service-kit/rate-limit/local-limits';
import { CONSUME_LUA, scheduleOf } from '@atrium/service-kit/rate-limit/schedule';
import type { Redis } from 'ioredis';
import { Compile } from 'typebox/compile';
import { Click } from './click.ts';

export interface JournalEntry {
  entryId: string;
  /** Null when the entry is not a click and can only be discarded. */
  click: Click | null;
}

/** Too many clicks on this link from this address. */
export interface Limited {
  kind: 'limited';
}

export type AppendResult =
  | Limited
  | { kind: 'appended'; entryId: string }
  /** The journal is full, or Redis is away. */
  | { kind: 'unavailable' };

/**
 * Clicks that may not be stored yet, in a Redis stream. The process that recorded a click also has
 * it in memory; the journal is for the case that this process dies first.
 */
export interface ClickJournal {
  /** The command is on its way when this returns, so that a redirect sent afterwards is journaled. */
  append(click: Click, address: string): Limited | Promise<AppendResult>;
  remove(entryIds: readonly string[]): Promise<void>;
  /** Entries older than `ageMs`, oldest first. */
  readOlderThan(ageMs: number, limit: number): Promise<JournalEntry[]>;
}

/** For each link and address: a whole office may share one address and follow a link at once. */
export const CLICK_LIMIT = { name: 'clicks', limit: 600, windowSeconds: 60 };
/** About 200 MB of Redis. */
const ENTRIES_MAX = 500_000;

/**
 * One script, so that the limit costs no further round trip and a click over it never enters the journal.
 * KEYS: the rate limit's key if there is a limit; the stream. Last two of ARGV: longest stream, click.
 * Returns the entry's id; an array when over the limit; nil when the stream is full.
 */
const APPEND_LUA = `
local function consume()
${CONSUME_LUA}
end
if #KEYS == 2 then
  local verdict = consume()
  if verdict[1] == 0 then return verdict end
end
local stream = KEYS[#KEYS]
if redis.call('XLEN', stream) >= tonumber(ARGV[#ARGV - 1]) then return false end
return redis.call('XADD', stream, '*', 'click', ARGV[#ARGV])`;

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
  /** False when rate limits are off. */
  limited: boolean;
  entriesMax?: number;
}): ClickJournal {
  const { redis, queuePrefix, clockMs, logger, limited, entriesMax = ENTRIES_MAX } = options;
  const stream = `${queuePrefix}:clicks`;
  const local = createLocalLimits();
  const { intervalMs, toleranceMs, firstDelayMs, maxDelayMs, capMs } = scheduleOf(CLICK_LIMIT);

  async function send(click: Click, limitKey: string, nowMs: number): Promise<AppendResult> {
    const limitArguments = [nowMs, intervalMs, toleranceMs, firstDelayMs, maxDelayMs, capMs];
    const [keys, values] = limited ? [[limitKey, stream], limitArguments] : [[stream], []];
    try {
      const result: unknown = await redis.eval(
        APPEND_LUA,
        keys.length,
        ...keys,
        ...values,
        entriesMax,
        JSON.stringify(click),
      );
      if (typeof result === 'string') return { kind: 'appended', entryId: result };
      if (!Array.isArray(result)) return { kind: 'unavailable' };
      local.record(limitKey, { arrivalMs: Number(result[1]), openAtMs: Number(result[2]) });
      return { kind: 'limited' };
    } catch (error) {
      logger.debug({ err: error, clickId: click.id }, 'click is held in memory only');
      return { kind: 'unavailable' };
    }
  }

  return {
    append(click, address) {
      const nowMs = clockMs();
      const key = `${queuePrefix}:links:rate:${CLICK_LIMIT.name}:${click.linkId}:${networkOf(address) ?? address}`;
      // What this process already knows to be over the limit does not reach Redis, and while Redis is
      // away each process limits by what it has seen itself.
      const isAllowed = !limited || local.consume(key, CLICK_LIMIT, nowMs).isAllowed;
      return isAllowed ? send(click, key, nowMs) : { kind: 'limited' };
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
