/**
 * Options for `openDatabase`, `openRedis`, `createKeySet` and `openReadReplica`, so that a busy machine is not taken for
 * an outage. A server that is down refuses connections, which fails at once in any case.
 */
export const TEST_TIMEOUTS = {
  connectTimeoutMs: 30_000,
  commandTimeoutMs: 30_000,
  fetchTimeoutMs: 30_000,
  readTimeoutMs: 30_000,
  maxLagMs: 60_000,
} as const;
