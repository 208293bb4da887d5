import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { SealedRow, SealedStore, SealedTexts } from './sealed-store.ts';
import { sealingContexts } from './secrets.ts';

const BATCH = 500;
/** A row that changes between reading and writing is left to the next pass. */
const PASSES_MAX = 5;

export interface ReencryptResult {
  /** Subscriptions whose texts were re-encrypted. */
  reencrypted: number;
  /** Subscriptions that no key of the ring decrypts, at most one batch of them. */
  unopened: string[];
  /** Whether all that could be decrypted is now under the first key. */
  isComplete: boolean;
}

export interface ReencryptOptions {
  store: SealedStore;
  keyRing: KeyRing;
  /** Stops it between two batches. The next run continues from there. */
  signal?: AbortSignal;
}

/**
 * Re-encrypts with the first key of the ring whatever is encrypted with another, in batches. Workers
 * and owners are not interrupted: each row is written only if it is still as it was read.
 */
export async function reencryptAll(options: ReencryptOptions): Promise<ReencryptResult> {
  const { store, keyRing, signal } = options;
  const unopened = new Set<string>();
  let reencrypted = 0;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    let missed = 0;
    let rows = await store.read('', BATCH);
    while (rows.length > 0) {
      if (signal?.aborted) return { reencrypted, unopened: [...unopened], isComplete: false };
      for (const row of rows) {
        const texts = reencrypt(keyRing, row);
        if (texts === 'unopened' && unopened.size < BATCH) unopened.add(row.id);
        if (texts === 'unopened' || texts === 'current') continue;
        if (await store.replace(row, texts)) reencrypted += 1;
        else missed += 1;
      }
      rows = await store.read(rows.at(-1)?.id ?? '', BATCH);
    }
    if (missed === 0) return { reencrypted, unopened: [...unopened], isComplete: true };
  }
  return { reencrypted, unopened: [...unopened], isComplete: false };
}

function reencrypt(keyRing: KeyRing, row: SealedRow): SealedTexts | 'current' | 'unopened' {
  const { id, sealedSecret, previousSealedSecret, sealedHeaders, sealedDestination } = row;
  const texts = [sealedSecret, previousSealedSecret, sealedHeaders, sealedDestination];
  if (texts.every((text) => text === null || keyRing.isCurrent(text))) return 'current';
  const secretContext = sealingContexts.secret(id);
  const renew = (text: string, context: string) =>
    keyRing.isCurrent(text) ? text : keyRing.encrypt(keyRing.decrypt(text, context), context);
  try {
    return {
      sealedSecret: renew(sealedSecret, secretContext),
      previousSealedSecret: previousSealedSecret && renew(previousSealedSecret, secretContext),
      sealedHeaders: sealedHeaders && renew(sealedHeaders, sealingContexts.headers(id)),
      sealedDestination:
        sealedDestination && renew(sealedDestination, sealingContexts.destination(id)),
    };
  } catch {
    return 'unopened';
  }
}
