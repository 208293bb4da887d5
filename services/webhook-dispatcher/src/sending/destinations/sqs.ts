import type { RemoteDestination } from '../../subscriptions/destination.ts';
import type { OutgoingRequest } from '../send.ts';
import { signedHeaders } from './aws-request.ts';
import { type DestinationMessage, signatureHeaders } from '../destination-message.ts';

type SqsDestination = Extract<RemoteDestination, { kind: 'sqs' }>;

/** SendMessage by the JSON protocol of SQS. A FIFO queue drops what it was sent twice in 5 minutes. */
export async function sqsRequest(
  { region, credentials, messageGroupId }: SqsDestination,
  message: DestinationMessage,
): Promise<OutgoingRequest> {
  const { accountId, subscriptionId, deliveryId, url: queueUrl, startedMs: nowMs } = message;
  const isFifo = queueUrl.endsWith('.fifo');
  const groupId = messageGroupId ?? (isFifo ? subscriptionId : undefined);
  const attributes = signatureHeaders(message).map(([name, value]) => [
    name,
    { DataType: 'String', StringValue: value },
  ]);
  const body = Buffer.from(
    JSON.stringify({
      QueueUrl: queueUrl,
      MessageBody: message.body.toString('utf8'),
      MessageAttributes: Object.fromEntries(attributes),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
      ...(isFifo && { MessageDeduplicationId: deliveryId }),
    }),
  );
  const url = new URL('/', queueUrl);
  const headers = await signedHeaders({
    service: 'sqs',
    region,
    credentials,
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
    },
    body,
    nowMs,
  });
  return { accountId, url: url.href, headers, body };
}
