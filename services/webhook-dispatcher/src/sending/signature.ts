import { createHmac, sign } from 'node:crypto';
import type { SigningKeys } from '../subscriptions/secrets.ts';

/** The keys that sign a delivery. During a rotation, receivers may know either secret. */
export interface Signers {
  current: SigningKeys;
  /** The keys of the previous secret, while it is valid. */
  previous: SigningKeys | undefined;
  /** Whether Service-Signature, which holds one signature, is still made with the previous secret. */
  servicePrevious: boolean;
}

export interface SignedDelivery {
  deliveryId: string;
  event: string;
  body: Buffer;
  timestampSeconds: number;
}

/**
 * The headers of a delivery, names and values in turn. They include those of Standard Webhooks
 * (github.com/standard-webhooks/standard-webhooks), so that any of its libraries verifies a delivery;
 * its signature header lists a signature for each valid secret.
 */
export function deliveryHeaders(signers: Signers, delivery: SignedDelivery): string[] {
  const { deliveryId, event, body, timestampSeconds } = delivery;
  const { current, previous } = signers;
  const timestamp = String(timestampSeconds);
  const prefix = `${deliveryId}.${timestamp}.`;
  const signature = standardSignature(current, prefix, body);
  const service = signers.servicePrevious && previous !== undefined ? previous : current;
  return [
    'content-type',
    'application/json',
    'user-agent',
    'Atrium-Webhooks/1',
    'Service-Signature',
    createHmac('sha256', service.service).update(body).digest('hex'),
    'Service-Event',
    event,
    'Service-Delivery',
    deliveryId,
    'webhook-id',
    deliveryId,
    'webhook-timestamp',
    timestamp,
    'webhook-signature',
    previous === undefined
      ? signature
      : `${signature} ${standardSignature(previous, prefix, body)}`,
  ];
}

function standardSignature({ standard }: SigningKeys, prefix: string, body: Buffer): string {
  if (standard.type === 'private') {
    const signed = Buffer.concat([Buffer.from(prefix, 'utf8'), body]);
    return `v1a,${sign(null, signed, standard).toString('base64')}`;
  }
  return `v1,${createHmac('sha256', standard).update(prefix).update(body).digest('base64')}`;
}
