/**
 * For `openDatabase`, `openRedis` and `createKeySet`: a busy machine is no outage. What is really
 * away refuses its connections, which a test notices as soon as ever.
 */
export const PATIENCE = {
  connectTimeoutMs: 30_000,
  commandTimeoutMs: 30_000,
  fetchTimeoutMs: 30_000,
} as const;
