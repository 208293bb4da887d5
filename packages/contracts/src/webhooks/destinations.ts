import Type, { type Static } from 'typebox';

/** The entries of a stream at most, if its owner names no length. */
export const REDIS_STREAM_LENGTH = 100_000;

const visible = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[\\x21-\\x7e]*$',
    errorMessage: 'may contain only visible ASCII characters',
  });
const Login = Type.Object(
  { username: visible(256), password: visible(1024) },
  { additionalProperties: false },
);
const AccessKey = Type.Object(
  { accessKeyId: visible(128), secretAccessKey: visible(256) },
  { additionalProperties: false },
);
const Region = Type.String({ maxLength: 40, pattern: '^[a-z0-9-]{1,40}$' });
/** Short strings of AMQP have at most 255 bytes. */
const amqpName = (description: string) =>
  Type.String({ maxLength: 255, pattern: '^[\\x20-\\x7e]*$', description });

const http = { kind: Type.Literal('http') };
const sqs = {
  kind: Type.Literal('sqs', { description: 'url is that of the queue' }),
  region: Region,
  messageGroupId: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: '^[!-~]{1,128}$',
      description: 'Of a queue whose name ends in .fifo; without it, the id of the webhook',
    }),
  ),
};
const amqp = {
  kind: Type.Literal('amqp', {
    description: 'RabbitMQ (AMQP 0.9.1). url is amqps://host:port/vhost',
  }),
  exchange: amqpName('Must exist; empty for the default one'),
  routingKey: amqpName('Must lead to a queue'),
};
const redis = {
  kind: Type.Literal('redis', { description: 'url is rediss://host:port/database' }),
  stream: visible(200),
  maxLength: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: `Entries kept, roughly; ${REDIS_STREAM_LENGTH.toLocaleString('en')} by default`,
    }),
  ),
};
const s3 = {
  kind: Type.Literal('s3', {
    description: 'url is that of the bucket; each delivery is an object below yyyy/mm/dd',
  }),
  region: Region,
  prefix: Type.Optional(
    Type.String({ maxLength: 200, pattern: '^([A-Za-z0-9_-][A-Za-z0-9_/-]*)?$' }),
  ),
};

const exact = { additionalProperties: false };
const description =
  'HTTP unless named; replaced as a whole. Anything but HTTP takes no custom headers, and needs its ' +
  'credentials again when the scheme, host or port of url changes.';

/** Where deliveries go, with the credentials that are never shown. */
export const DestinationBody = Type.Union(
  [
    Type.Object(http, exact),
    Type.Object({ ...sqs, credentials: AccessKey }, exact),
    Type.Object({ ...amqp, credentials: Login }, exact),
    Type.Object({ ...redis, credentials: Type.Optional(Login) }, exact),
    Type.Object({ ...s3, credentials: AccessKey }, exact),
  ],
  { description },
);
export type DestinationBody = Static<typeof DestinationBody>;

const exampleLogin = { username: 'atrium', password: 'correct-horse-battery' };
const exampleAccessKey = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
/** One of each kind but HTTP, with its URL. */
export const exampleDestinations: { url: string; destination: DestinationBody }[] = [
  {
    url: 'https://sqs.eu-central-1.amazonaws.com/123456789012/events',
    destination: { kind: 'sqs', region: 'eu-central-1', credentials: exampleAccessKey },
  },
  {
    url: 'amqps://rabbit.example.com:5671/production',
    destination: {
      kind: 'amqp',
      exchange: 'atrium',
      routingKey: 'events',
      credentials: exampleLogin,
    },
  },
  {
    url: 'rediss://redis.example.com:6379/0',
    destination: { kind: 'redis', stream: 'events', credentials: exampleLogin },
  },
  {
    url: 'https://bucket.s3.eu-central-1.amazonaws.com',
    destination: {
      kind: 's3',
      region: 'eu-central-1',
      prefix: 'atrium/',
      credentials: exampleAccessKey,
    },
  },
];

export const Destination = Type.Union(
  [Type.Object(http), Type.Object(sqs), Type.Object(amqp), Type.Object(redis), Type.Object(s3)],
  { description: 'Where deliveries go, without its credentials' },
);
export type Destination = Static<typeof Destination>;
export type DestinationKind = Destination['kind'];
