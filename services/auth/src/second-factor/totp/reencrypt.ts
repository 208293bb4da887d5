import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database } from '../../database.ts';
import { openSecret, sealSecret } from './check.ts';
import { listSealedTotp, replaceSealedTotp, type SealedTotp } from './store.ts';

const BATCH = 500;

/**
 * Re-encrypts the secrets of authenticator apps that are not encrypted with the first key of the ring.
 * Logins continue meanwhile; an interrupted run can be repeated.
 *
 * @returns the number of re-encrypted secrets, and of those that no key of the ring decrypts
 */
export async function reencryptTotp(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  signal?: AbortSignal,
): Promise<{ reencrypted: number; unopened: number; isComplete: boolean }> {
  let [reencrypted, unopened] = [0, 0];
  let rows = await listSealedTotp(database, { afterId: '', limit: BATCH });
  while (rows.length > 0) {
    for (const row of rows) {
      if (signal?.aborted === true) {
        return { reencrypted, unopened, isComplete: false };
      }
      const to = keyRing.isCurrent(row.secret) ? row.secret : resealed(keyRing, row);
      if (to === undefined) {
        unopened += 1;
      } else if (to !== row.secret) {
        await replaceSealedTotp(database, { accountId: row.accountId, from: row.secret, to });
        reencrypted += 1;
      }
    }
    rows = await listSealedTotp(database, { afterId: rows.at(-1)?.accountId ?? '', limit: BATCH });
  }
  return { reencrypted, unopened, isComplete: true };
}

function resealed(keyRing: KeyRing, { accountId, secret }: SealedTotp): string | undefined {
  try {
    return sealSecret(keyRing, accountId, openSecret(keyRing, accountId, secret));
  } catch {
    return undefined;
  }
}
