import { newId } from '@atrium/contracts/ids';
import type { Logger } from '@atrium/service-kit/logger';
import type { MissingBodiesStore } from './missing-bodies-store.ts';

export interface MissingBodiesDeps {
  store: MissingBodiesStore;
  logger: Logger;
  onExhausted: (count: number) => void;
  clockMs: () => number;
}

/**
 * Makes deliveries whose body is missing exhausted. Ingestion, erasure and retention keep the two
 * together, so this is for what they cannot prevent, such as a partly restored database. The lease
 * skips such rows, and a few of them at the head of an endpoint's queue would block the rest.
 */
export async function exhaustMissingBodies(
  { store, logger, onExhausted, clockMs }: MissingBodiesDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const found = await store.find();
    if (found.length === 0) return;
    const exhausted = await store.exhaust(
      found.map((delivery) => ({ ...delivery, attemptId: newId('att', clockMs()) })),
    );
    if (exhausted === 0) return;
    const webhookIds = [...new Set(found.map(({ subscriptionId }) => subscriptionId))];
    logger.error({ exhausted, webhookIds }, 'deliveries exhausted: their bodies are missing');
    onExhausted(exhausted);
  }
}
