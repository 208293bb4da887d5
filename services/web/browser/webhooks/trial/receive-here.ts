import type { LeasedDeliveries, Subscription } from '@atrium/client';
import { verifyWebhook } from '@atrium/client/webhooks';
import { atrium } from '../../session/atrium.ts';
import { isTrial, TRIAL_URL } from './trial-url.ts';

const POLL_MS = 1_000;

export interface Received {
  id: string;
  event: string;
  body: string;
  isVerified: boolean;
}

/**
 * A receiver in this page: a listener of its own, whose deliveries are fetched and answered here, the first of
 * them a test event. It is deleted when the loop over it ends.
 */
export async function* receiveHere(signal: AbortSignal): AsyncGenerator<Received> {
  await deleteLeftOver();
  const { id, secret } = await atrium.webhooks.createListener({
    forwardTo: TRIAL_URL,
    events: ['note.created', 'note.shared', 'go.click'],
  });
  try {
    await atrium.webhooks.sendTestEvent(id, { event: 'note.shared' });
    while (!signal.aborted) {
      const { deliveries } = await atrium.webhooks.leaseDeliveries(id, { signal });
      for (const delivery of deliveries) yield await answer(delivery, secret);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    // What cannot be deleted now is at the next trial, or expires.
    await atrium.webhooks.deleteWebhook(id).catch(() => undefined);
  }
}

/** Deletes what a page has left that was closed in the middle of a trial. */
async function deleteLeftOver(): Promise<void> {
  const webhooks: Subscription[] = [];
  for await (const webhook of atrium.webhooks.listWebhooks()) webhooks.push(webhook);
  for (const { id } of webhooks.filter(isTrial)) await atrium.webhooks.deleteWebhook(id);
}

/** As a server would: verifies it before anything else. */
async function answer(
  { id, leaseId, event, headers, body }: LeasedDeliveries['deliveries'][number],
  secret: string,
): Promise<Received> {
  const startedMs = performance.now();
  const isVerified = await verifyWebhook(body, new Headers(headers), secret).then(
    () => true,
    () => false,
  );
  const durationMs = Math.round(performance.now() - startedMs);
  const status = isVerified ? 204 : 400;
  await atrium.webhooks.reportForwarded(id, { leaseId, durationMs, status });
  return { id, event, body, isVerified };
}
