/**
 * Options for `openDatabase`, `openRedis` and `createKeySet`, so that a busy machine is not taken for
 * an outage. A server that is down refuses connections, which fails at once in any case.
 */
export const TEST_TIMEOUTS = {
  connectTimeoutMs: 30_000,
  commandTimeoutMs: 30_000,
  fetchTimeoutMs: 30_000,
} as const;
