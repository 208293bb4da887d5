import { idTimeMs } from '@atrium/contracts/ids';
import type { RemoteDestination } from '../../subscriptions/destination.ts';
import type { OutgoingRequest } from '../send.ts';
import { signedHeaders } from './aws-request.ts';
import { type DestinationMessage, signatureHeaders } from '../destination-message.ts';

type S3Destination = Extract<RemoteDestination, { kind: 's3' }>;

/** PutObject. The key depends on the delivery alone, so a repeated attempt writes the same object. */
export async function s3Request(
  { region, credentials, prefix = '' }: S3Destination,
  message: DestinationMessage,
): Promise<OutgoingRequest> {
  const { accountId, deliveryId, body, startedMs: nowMs } = message;
  const day = new Date(idTimeMs(deliveryId)).toISOString().slice(0, 10).replaceAll('-', '/');
  const url = new URL(`${message.url.replace(/\/+$/, '')}/${prefix}${day}/${deliveryId}.json`);
  const metadata = signatureHeaders(message).map(([name, value]) => [
    `x-amz-meta-${name.toLowerCase()}`,
    value,
  ]);
  const headers = await signedHeaders({
    service: 's3',
    region,
    credentials,
    method: 'PUT',
    url,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(metadata) },
    body,
    nowMs,
  });
  return { accountId, method: 'PUT', url: url.href, headers, body };
}
