/** How long an upload counts as under way after its process has last renewed its lease. */
export const UPLOAD_LEASE_SECONDS = 15;
const RENEW_EVERY_MS = 5_000;

/** Renews the lease of an upload while its content is being stored. */
export async function storeUnderLease(
  renew: () => Promise<unknown>,
  store: () => Promise<void>,
): Promise<void> {
  // One that fails is followed by the next.
  const renewal = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  try {
    await store();
  } finally {
    clearInterval(renewal);
  }
}
