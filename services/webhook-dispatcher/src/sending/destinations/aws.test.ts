import type { DestinationBody } from '@atrium/contracts/webhooks/destinations';
import { newId } from '@atrium/contracts/ids';
import { isAwsSigned } from '@atrium/testkit/aws-signature';
import { startReceiver } from '@atrium/testkit/receiver';
import { buildApp } from 'fauxqs';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDestinations, secret } from './destinations.fixture.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret/of forty+characters' };
const access = { region: 'eu-central-1', credentials };

/** A stand-in that knows the protocols of SQS and S3, but checks no signatures. */
async function startAws() {
  const aws = buildApp({ logger: false });
  onTestFinished(() => aws.close());
  const url = await aws.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    async sqs(action: string, body: object) {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${action}`,
      };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return response.json();
    },
    createBucket: (name: string) => fetch(`${url}/${name}`, { method: 'PUT' }),
    read: (path: string) => fetch(`${url}${path}`),
  };
}

interface Attribute {
  StringValue: string;
}

test('sends to a queue of SQS, once to a FIFO one', async () => {
  const aws = await startAws();
  await using destinations = openTestDestinations();
  const id = newId('dlv');
  for (const QueueName of ['plain', 'ordered.fifo']) {
    const Attributes = QueueName.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
    const { QueueUrl: queueUrl } = await aws.sqs('CreateQueue', { QueueName, Attributes });
    const attempt = () => destinations.attempt(queueUrl, { kind: 'sqs', ...access }, id);
    expect(await attempt()).toEqual({ outcome: 'delivered', status: 200, error: null });
    expect((await attempt()).outcome).toBe('delivered');
    const { Messages: messages } = await aws.sqs('ReceiveMessage', {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
    });
    expect(messages).toHaveLength(QueueName === 'plain' ? 2 : 1);
    const attributes: Record<string, Attribute> = messages[0].MessageAttributes;
    const headers = Object.fromEntries(
      Object.entries(attributes).map(([name, { StringValue }]) => [name, StringValue]),
    );
    expect(headers).toMatchObject({ 'Service-Event': 'note.shared', 'webhook-id': id });
    expect(new Webhook(secret).verify(messages[0].Body, headers)).toEqual({ title: 'Grüße' });
  }
  const missing = await destinations.attempt(`${aws.url}/000000000000/none`, {
    kind: 'sqs',
    ...access,
  });
  expect(missing).toMatchObject({ outcome: 'retry', status: 400, error: 'Answered 400' });
});

test('writes one object for a delivery, however often it is sent', async () => {
  const aws = await startAws();
  await aws.createBucket('events');
  await using destinations = openTestDestinations();
  const id = newId('dlv', Date.UTC(2026, 1, 3, 23, 59, 59));
  for (const _ of [1, 2]) {
    const made = await destinations.attempt(
      `${aws.url}/events/`,
      { kind: 's3', prefix: 'hooks/', ...access },
      id,
    );
    expect(made).toEqual({ outcome: 'delivered', status: 200, error: null });
  }
  const stored = await aws.read(`/events/hooks/2026/02/03/${id}.json`);
  const headers = Object.fromEntries(
    [...stored.headers].map(([name, value]) => [name.replace('x-amz-meta-', ''), value]),
  );
  const payload = await stored.text();
  expect(new Webhook(secret).verify(payload, headers)).toEqual({ title: 'Grüße' });
  expect(headers).toMatchObject({ 'content-type': 'application/json' });
  const list = await (await aws.read('/events?list-type=2')).text();
  expect(list.match(/<Key>/g)).toHaveLength(1);
});

test.each<[path: string, DestinationBody, sent: string]>([
  ['/1/queue', { kind: 'sqs', ...access }, 'POST /'],
  ['/buck%20et', { kind: 's3', prefix: 'a_b-', ...access }, 'PUT /buck%20et/a_b-2026/01/01/'],
])('signs the request to %s as AWS checks it', async (path, destination, sent) => {
  await using receiver = await startReceiver({ respond: () => ({ status: 503 }) });
  await using destinations = openTestDestinations();
  const id = newId('dlv', Date.UTC(2026, 0, 1));
  const made = await destinations.attempt(`${receiver.url}${path}`, destination, id);
  expect(made).toMatchObject({ outcome: 'retry', status: 503, error: 'Answered 503' });
  const [request] = receiver.requests;
  const { method, path: url, headers, rawBody } = request ?? { headers: {}, rawBody: Buffer.of() };
  expect(`${method} ${url}`.startsWith(sent)).toBe(true);
  const signed = (body: Buffer) => isAwsSigned({ method, url, headers }, body, credentials);
  expect([signed(rawBody), signed(Buffer.from('{}'))]).toEqual([true, false]);
});
