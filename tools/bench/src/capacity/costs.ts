/**
 * What a click takes at full load: the one place of these numbers. `pnpm bench webhooks click-costs drain` measures
 * them; `pnpm bench capacity` then computes docs/capacity.md anew.
 */
export const MEASURED = {
  date: '2026-11-26',
  machine: 'two cores that send 16,694 bare POSTs a second; all parts and durable servers on them',
  /** CPU milliseconds of a click, which are CPU seconds of a thousand. */
  cpuMs: {
    redirected: { links: 0.25 },
    /** With the redirect. */
    recorded: { links: 0.25, redis: 0.094, postgres: 0.07 },
    delivered: { links: 0.066, redis: 0.025, worker: 0.27, postgres: 0.26 },
    /** The part of what is delivered that begins with the lease. */
    drained: { worker: 0.11, postgres: 0.068 },
  },
  walKb: { recorded: 1.4, delivered: 2.6 },
  /** In tables and their indexes. */
  keptKb: { recorded: 0.42, delivered: 1.3 },
};

/** Neither measured nor ours to choose: put in your own. */
export const ASSUMED = {
  /** Beyond it, queues grow faster than the load. */
  busyMax: 0.7,
  /** The cores of one server with the databases of links and webhooks. */
  postgresCores: 16,
  /** What an NVMe disk takes of WAL all day, beside the pages that checkpoints write. */
  walMbPerSecond: 200,
  diskTb: 8,
  /** The default of WEBHOOK_RETENTION_DAYS, and CLICK_RETENTION_DAYS set to the same. */
  keptDays: 30,
  /** A statement or command to another machine and back, and a commit with its flush. */
  roundTripMs: 0.3,
  commitMs: 1,
};
