// Why it is so: docs/decisions/0005-clicks-are-kept-twice-until-stored.md
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Logger } from '@atrium/service-kit/logger';
import { networkOf } from '@atrium/service-kit/rate-limit/address';
import { createLocalLimits } from '@atrium/service-kit/rate-limit/local-limits';
import { type RateLimitRule, scheduleOf } from '@atrium/service-kit/rate-limit/schedule';
import type { RedisClient } from '@atrium/events/redis-client';
import { Compile } from 'typebox/compile';
import { Click } from './click.ts';
import { APPEND_LUA, REMOVE_LUA } from './journal-scripts.ts';

export interface JournalEntry {
  entryId: string;
  /** Null when the entry is not a click and can only be discarded. */
  click: Click | null;
}

/** Too many clicks on all links of this owner, from this IP address or altogether. */
export interface Limited {
  kind: 'limited';
}

export type AppendResult =
  | Limited
  | { kind: 'appended'; entryId: string }
  /** The journal is full, or Redis is away. */
  | { kind: 'unavailable' };

/** What a click is counted by, besides its link and owner. */
export interface ClickOrigin {
  /** The IP address of the visitor. */
  ip: string;
  ownerPlan: Plan;
}

/**
 * Clicks that may not be stored yet, in a Redis stream. The process that recorded a click also has
 * it in memory; the journal is for the case that this process dies first.
 */
export interface ClickJournal {
  /** The command is on its way when this returns, so that a redirect sent afterwards is journaled. */
  append(click: Click, origin: ClickOrigin): Limited | Promise<AppendResult>;
  remove(entryIds: readonly string[]): Promise<void>;
  /** Entries older than `ageMs`, oldest first. */
  readOlderThan(ageMs: number, limit: number): Promise<JournalEntry[]>;
}

/** On all links of an owner from one IP address: a whole office may share one and follow a link at once. */
export const CLICK_LIMIT = { name: 'clicks', limit: 600, windowSeconds: 60 };
/** On all links of an owner, from anywhere: each click is stored and sent. */
export function ownerClickLimits(plan: Plan): RateLimitRule[] {
  const { clicksPerMinute, clicksPerDay } = PLAN_LIMITS[plan];
  const aMinute = { name: 'owner-clicks', limit: clicksPerMinute, windowSeconds: 60 };
  if (!Number.isFinite(clicksPerDay)) return [aMinute];
  return [aMinute, { name: 'owner-clicks-a-day', limit: clicksPerDay, windowSeconds: 86_400 }];
}
/** Bytes of clicks as JSON: about half a million usual ones, or 60,000 with the longest headers. */
const JOURNAL_BYTES_MAX = 200 * 1024 ** 2;

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
  redis: RedisClient;
  queuePrefix: string;
  clockMs: () => number;
  logger: Logger;
  /** False when rate limits are off. */
  limited: boolean;
  bytesMax?: number;
}): ClickJournal {
  const { redis, queuePrefix, clockMs, logger, limited, bytesMax = JOURNAL_BYTES_MAX } = options;
  const stream = `${queuePrefix}:clicks`;
  const size = `${queuePrefix}:links:clicks-bytes`;
  const local = createLocalLimits();

  function limitsOf(click: Click, { ip, ownerPlan }: ClickOrigin): Map<string, RateLimitRule> {
    if (!limited) return new Map();
    const prefix = `${queuePrefix}:links:rate`;
    const limits = new Map<string, RateLimitRule>([
      [`${prefix}:clicks:${click.ownerId}:${networkOf(ip) ?? ip}`, CLICK_LIMIT],
    ]);
    for (const rule of ownerClickLimits(ownerPlan)) {
      limits.set(`${prefix}:${rule.name}:${click.ownerId}`, rule);
    }
    return limits;
  }

  async function send(
    click: Click,
    limits: Map<string, RateLimitRule>,
    nowMs: number,
  ): Promise<AppendResult> {
    const names = [...limits.keys()];
    const schedules = [...limits.values()].flatMap((rule) => {
      const { intervalMs, toleranceMs, firstDelayMs, maxDelayMs, capMs } = scheduleOf(rule);
      return [nowMs, intervalMs, toleranceMs, firstDelayMs, maxDelayMs, capMs];
    });
    try {
      const keys = [...names, stream, size];
      const text = JSON.stringify(click);
      const result: unknown = await redis.eval(
        APPEND_LUA,
        keys.length,
        ...keys,
        ...schedules,
        bytesMax,
        text,
      );
      if (typeof result === 'string') return { kind: 'appended', entryId: result };
      if (!Array.isArray(result)) return { kind: 'unavailable' };
      const [position, arrivalMs, openAtMs] = result.map(Number);
      const name = names[(position ?? 0) - 1];
      if (name !== undefined && arrivalMs !== undefined && openAtMs !== undefined) {
        local.record(name, { arrivalMs, openAtMs });
      }
      return { kind: 'limited' };
    } catch (error) {
      logger.debug({ err: error, clickId: click.id }, 'click is held in memory only');
      return { kind: 'unavailable' };
    }
  }

  return {
    append(click, origin) {
      const nowMs = clockMs();
      const limits = limitsOf(click, origin);
      // What this process already knows to be over a limit does not reach Redis, and while Redis is
      // away each process limits by what it has seen itself.
      for (const [name, rule] of limits) {
        if (!local.consume(name, rule, nowMs).isAllowed) return { kind: 'limited' };
      }
      return send(click, limits, nowMs);
    },
    async remove(entryIds) {
      if (entryIds.length > 0) await redis.eval(REMOVE_LUA, 2, stream, size, ...entryIds);
    },
    async readOlderThan(ageMs, limit) {
      // Stream ids begin with the time of their creation in milliseconds.
      const newest = String(clockMs() - ageMs);
      const entries = await redis.xrange(stream, '-', newest, 'COUNT', limit);
      return entries.map(([entryId, fields]) => ({ entryId, click: parseClick(fields) }));
    },
  };
}
