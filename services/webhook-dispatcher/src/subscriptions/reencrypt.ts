import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { SealedRow, SealedStore, SealedTexts } from './sealed-store.ts';
import { sealingContexts } from './secrets.ts';

const BATCH = 500;
/** A row that changes between reading and writing is left for the next pass. */
const PASSES_MAX = 5;

export interface Reencryption {
  /** Subscriptions whose texts were sealed anew. */
  reencrypted: number;
  /** Subscriptions that no key of the ring opens, at most one batch of them named. */
  unopened: string[];
  /** Whether all that could be opened is now under the first key. */
  isComplete: boolean;
}

export interface ReencryptOptions {
  store: SealedStore;
  keyRing: KeyRing;
  /** Ends it between two batches. What is done stays done: the next run goes on from there. */
  signal?: AbortSignal;
}

/**
 * Seals with the first key of the ring whatever is sealed with another, in small batches. Workers and
 * owners may go on meanwhile: each row is written only if it is still as it was read.
 */
export async function reencryptAll(options: ReencryptOptions): Promise<Reencryption> {
  const { store, keyRing, signal } = options;
  const unopened = new Set<string>();
  let reencrypted = 0;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    let missed = 0;
    let rows = await store.read('', BATCH);
    while (rows.length > 0) {
      if (signal?.aborted) return { reencrypted, unopened: [...unopened], isComplete: false };
      const changes = rows.flatMap((from) => {
        const to = resealed(keyRing, from);
        if (to === 'unopened' && unopened.size < BATCH) unopened.add(from.id);
        return to === 'unopened' || to === 'current' ? [] : [{ from, to }];
      });
      const replaced = changes.length === 0 ? 0 : await store.replace(changes);
      reencrypted += replaced;
      missed += changes.length - replaced;
      rows = await store.read(rows.at(-1)?.id ?? '', BATCH);
    }
    if (missed === 0) return { reencrypted, unopened: [...unopened], isComplete: true };
  }
  return { reencrypted, unopened: [...unopened], isComplete: false };
}

function resealed(keyRing: KeyRing, row: SealedRow): SealedTexts | 'current' | 'unopened' {
  const sealed = [row.secret, row.previousSecret, row.headers];
  if (sealed.every((text) => text === null || keyRing.isCurrent(text))) return 'current';
  const reseal = (text: string, context: string) =>
    keyRing.isCurrent(text) ? text : keyRing.encrypt(keyRing.decrypt(text, context), context);
  const secretContext = sealingContexts.secret(row.id);
  const { previousSecret, headers } = row;
  try {
    return {
      secret: reseal(row.secret, secretContext),
      previousSecret: previousSecret === null ? null : reseal(previousSecret, secretContext),
      headers: headers === null ? null : reseal(headers, sealingContexts.headers(row.id)),
    };
  } catch {
    return 'unopened';
  }
}
