const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * What may be in flight at the same time, chosen for the heap of 160 MB that the Dockerfile sets
 * (docs/decisions/0034-what-is-in-flight-has-a-budget.md has the calculation).
 */
const LIMITS = {
  processBytes: 64 * MIB,
  /** What only holders with at most `smallBytes` in all may take of it: a few with many small bodies cannot. */
  smallOnlyBytes: 16 * MIB,
  smallBytes: 256 * KIB,
  /** Above this in all, the networks of one IPv6 /48 do not count as such holders: one customer may have all. */
  smallSiteBytes: 4 * MIB,
  /** The most that one holder has: an account with a verified email address or, without one, a site. */
  holderBytes: 16 * MIB,
  /** What a request takes besides its body and answer. */
  requestBytes: 16 * KIB,
  /** A byte of JSON may become two of text, which are written out once more for the database. */
  bytesPerBodyByte: 4,
  /** What a body takes that its handler reads as a stream. */
  streamBytes: 128 * KIB,
  /** How long a client may send or take nothing, once it has been faster than `bytesPerSecond`. */
  stallTimeoutMs: 30_000,
  /** Slower than any network that people use: it only holds connections and memory. */
  bytesPerSecond: 16 * KIB,
  /** Larger answers are sent in slices of this size. */
  sliceBytes: 64 * KIB,
  /** Browsers and gateways wait for an answer before they send the next request on its connection. */
  requestsPerConnection: 64,
};

export type InFlightLimits = typeof LIMITS;

export function limitsOf(given: Partial<InFlightLimits>): InFlightLimits {
  return { ...LIMITS, ...given };
}
