/**
 * What a click takes at full load: the one place of these numbers. `pnpm bench webhooks click-costs drain` measures
 * them; `pnpm bench capacity` then computes docs/capacity.md anew.
 */
export const MEASURED = {
  date: '2026-11-26',
  machine:
    'two cores that other work kept busy, so rather too high; all parts and durable servers on them',
  /** CPU milliseconds of a click, which are CPU seconds of a thousand. */
  cpuMs: {
    redirected: { links: 0.25 },
    /** With the redirect. */
    recorded: { links: 0.27, redis: 0.092, postgres: 0.077 },
    delivered: { links: 0.096, redis: 0.032, worker: 0.28, postgres: 0.3 },
    /** Of what is delivered, from the lease on. */
    drained: { worker: 0.18, postgres: 0.11 },
  },
  walKb: { recorded: 1.4, delivered: 2.8 },
  /** In tables and their indexes. */
  keptKb: { recorded: 0.41, delivered: 1.3 },
};

/** Neither measured nor ours to choose: put in your own. */
export const ASSUMED = {
  /** Beyond it, queues grow faster than the load. */
  busyMax: 0.7,
  /** Of one server with the databases of links and webhooks. */
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
